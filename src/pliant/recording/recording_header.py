"""The header of a recording: what a file must say about its run, checked when it is read."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pliant.config import explain
from pliant.tick import MOST_JOINTS


class RecordingHeader(BaseModel):
    """Arm, period, laws and versions of a run; other entries are kept as they are."""

    model_config = ConfigDict(extra="allow", frozen=True, allow_inf_nan=False, strict=True)

    spec: str = ""
    clock: str = ""
    n: int = Field(ge=1, le=MOST_JOINTS)
    dt: float = Field(gt=0.0, le=10.0)
    start: float = 0.0
    rate: float = 0.0
    laws: list[str] = []
    law_files: dict[str, str] = {}
    versions: dict[str, str] = {}
    python: str = ""


def read_recording_header(text: bytes) -> RecordingHeader:
    """The header in the JSON text of a file.

    Raises:
        ValueError: It is not JSON, or a value in it is missing or wrong.
    """
    try:
        return RecordingHeader.model_validate_json(text)
    except ValidationError as error:
        raise ValueError(f"its header is wrong: {explain(error)}") from None
