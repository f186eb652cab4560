"""The console's server: relays ticks to browsers, and commands to the controller."""

from pliant.extras import require

require("console")
