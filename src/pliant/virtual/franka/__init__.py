"""A virtual Franka Research 3: its control interface (FCI) and its gripper over the simulation."""
