"""The contact stage: lag of the arm, stiffness of what it touches, swings of the force."""
