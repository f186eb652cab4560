"""The law in your own loop, with one call per period: no arm and no controller process.

Here the "robot" is a spring of 20 N/mm against which the tool presses along z.
"""

import numpy as np

from pliant import HybridAdmittance, HybridConfig

law = HybridAdmittance(HybridConfig(damping=(800, 20), inertia=(10, 0.25)), dt=0.002)
pose = np.array([0.4, 0.0, 0.3, 0.0, 1.0, 0.0, 0.0])
surface = 0.298

for _ in range(2500):
    depth = max(0.0, surface - pose[2])
    # the tool's z axis points down, so the surface pushes along -z of the tool
    wrench = [0, 0, -20e3 * depth, 0, 0, 0]
    pose = law.step(pose, wrench, desired=[0, 0, -5, 0, 0, 0], axes="z")

print(f"pressing with {20e3 * (surface - pose[2]):.2f} N")
