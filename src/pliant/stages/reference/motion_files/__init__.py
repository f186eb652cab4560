"""Reads recorded joint motions from files."""

from pathlib import Path

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.extras import require
from pliant.stages.reference.motion_files.recorded_motion import Motion, check
from pliant.stages.reference.motion_files.table_motion import read_table

__all__ = ["Motion", "read_motion"]


def read_motion(file: str | Path, arm: ArmDescription) -> Motion:
    """Read and check a motion that an arm is to replay.

    Args:
        file: A recording (.mcap), a table (.csv) or the folder of a rosbag2 with joint states.
        arm: The arm that is to replay it.

    Raises:
        ConfigError: The file cannot be read or replayed; the message names the place.
    """
    try:
        path = Path(file).expanduser()
        found, is_folder = path.exists(), path.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"cannot read {file}: {error}") from None
    if not found:
        raise ConfigError(f"there is no file {path} with a motion")
    # imported here, because only such files need these libraries
    if is_folder:
        require("rosbags")
        from pliant.stages.reference.motion_files.bag_motion import read_bag as read
    elif path.suffix == ".mcap":
        from pliant.stages.reference.motion_files.mcap_motion import read_recording as read
    elif path.suffix in (".csv", ".txt"):
        read = read_table
    else:
        raise ConfigError(
            f"{path} is not a motion file: give a .mcap, .csv or .txt file, or a rosbag2 folder"
        )
    return check(read(path, arm), arm)
