"""A drawing: where a hole before a real arm should be, which knows no scene."""

from pliant.params import Params, param
from pliant.pose import PoseNumbers
from pliant.sim.scenes import SceneNominal


class Drawing(Params):
    """Where a hole should be, and the sizes of hole and peg: what tasks go by."""

    X_WH: PoseNumbers = param(
        ...,
        "m, 1",
        "Nominal pose of the hole's rim in W: x y z qw qx qy qz; z points out of the surface.",
    )
    hole_depth: float = param(0.0, "m", "Nominal depth of the hole; 0: none.", ge=0.0, le=1.0)
    peg_radius: float = param(0.0, "m", "Radius of the peg; 0: none.", ge=0.0, le=0.1)

    def nominal(self) -> SceneNominal:
        """The same, as a simulated scene tells it."""
        return SceneNominal(
            name="drawing",
            X_WH=self.X_WH,
            hole_depth=self.hole_depth,
            peg_radius=self.peg_radius,
        )
