"""Universal Robots arms: state by RTDE, commands through ur_rtde."""
