"""`Arm` and what it hands out: sessions in this process or with a controller."""
