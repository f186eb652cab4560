"""Arms of Franka Robotics: states and torques through the vendor's pylibfranka."""
