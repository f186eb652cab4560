"""The honest simulation: physics, actuator, sensor, heat, and a hand that pushes."""
