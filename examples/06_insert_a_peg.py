"""Insert a peg into a hole that is 1.2 mm off its nominal position."""

import pliant
from pliant.tasks.insertion import Insertion

scene = {"kind": "peg", "offset": (0.0, 0.0012), "clearance": 3e-4, "stiffness": 1e4}
with pliant.Arm("sim:ur5e/peg", config={"sim": {"scene": scene}}) as arm:
    insertion = Insertion(arm, on_phase=lambda phase, time: print(f"{time:6.2f} s  {phase.value}"))
    result = insertion.run()
    print(f"seated: {result.seated}, peak contact force {result.peak_force_n:.1f} N")
