"""The controller process: takes lines, holds the lease, runs the loop, exits safely."""
