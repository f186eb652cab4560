"""The servo, of torque arms only: from requested positions and modes to joint torques."""
