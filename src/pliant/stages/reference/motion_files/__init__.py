"""Recorded motions of the joints, from the files that people have."""

from pathlib import Path

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.stages.reference.motion_files.recorded_motion import Motion, check
from pliant.stages.reference.motion_files.table_motion import read_table

__all__ = ["Motion", "read_motion"]


def read_motion(file: str | Path, arm: ArmDescription) -> Motion:
    """The motion in a file, fit to be replayed by an arm.

    Args:
        file: A recording of Pliant's (.mcap), a table (.csv) or the folder of a rosbag2 with joint
            states.
        arm: The arm that is to replay it.

    Raises:
        ConfigError: It cannot be read, or not be replayed; the message says where it is wrong.
    """
    path = Path(file).expanduser()
    if not path.exists():
        raise ConfigError(f"there is no file {path} with a motion")
    # what these need is imported only where such a file is really read
    if path.is_dir():
        from pliant.stages.reference.motion_files.bag_motion import read_bag as read
    elif path.suffix == ".mcap":
        from pliant.stages.reference.motion_files.mcap_motion import read_recording as read
    elif path.suffix in (".csv", ".txt"):
        read = read_table
    else:
        raise ConfigError(f"{path} is no motion: give a .mcap, a .csv or the folder of a rosbag2")
    return check(read(path, arm), arm)
