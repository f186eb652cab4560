"""A client's command for one period, taken from its packet into arrays that stay."""

from struct import Struct

import numpy as np

SIZE = 371
_ID = Struct("<Q")
_FLAGS_AT, _TORQUE_AT, _LAST_AT = 312, 314, 370
_FLOATS = 38


class ClientCommand:
    """The last command that came.

    Attributes:
        message_id: Number of the state that it answers.
        q_c: Joint positions, rad.
        dq_c: Joint velocities, rad/s.
        R: Orientation of the end effector.
        p: Its position, m.
        twist: Its twist in the axes of the base.
        elbow: Position of joint 3, rad; NaN if none is commanded.
        torque: Joint torques without gravity, N·m.
        finished: Whether it is the last one of its motion.
    """

    def __init__(self) -> None:
        self.message_id = 0
        self._floats = np.zeros(_FLOATS)
        self.q_c, self.dq_c = self._floats[:7], self._floats[7:14]
        self._pose, self.twist = self._floats[14:30].reshape(4, 4), self._floats[30:36]
        self.R, self.p = np.eye(3), self._pose[3, :3]
        self.elbow = np.nan
        self.torque = np.zeros(7)
        self.finished = False

    def take(self, data: bytes) -> bool:
        """Take a packet; False if it is none, or does not answer a newer state than the last."""
        if len(data) != SIZE or _ID.unpack_from(data)[0] <= self.message_id:
            return False
        self.message_id = _ID.unpack_from(data)[0]
        self._floats[:] = np.frombuffer(data, "<f8", _FLOATS, _ID.size)
        self.R[:] = self._pose[:3, :3].T
        self.torque[:] = np.frombuffer(data, "<f8", 7, _TORQUE_AT)
        self.elbow = float(self._floats[36]) if data[_FLAGS_AT] else np.nan
        self.finished = bool(data[_FLAGS_AT + 1] or data[_LAST_AT])
        return True
