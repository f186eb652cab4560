"""The REST interface: status, configuration, schemas, recordings, files of sequences."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from pydantic import BaseModel, TypeAdapter, ValidationError

from pliant.arms.description import arm_names, load_arm
from pliant.commands import line_protocol as protocol
from pliant.config import explain
from pliant.console.server import describe
from pliant.console.server import messages as m
from pliant.console.server.facts import ColumnInfo, CommandInfo
from pliant.console.server.hub import Hub
from pliant.console.server.recordings import RecordingFile, find, listed
from pliant.console.server.sequence_files import SequenceFile, read_sequence, write_sequence
from pliant.console.server.status_report import status
from pliant.errors import ConfigError, PliantError, UnknownNameError
from pliant.tasks.joint_sequence import SequenceStep

router = APIRouter(prefix="/api")
_STEPS = TypeAdapter(list[SequenceStep])
_KINDS = {".mcap": "application/octet-stream", ".csv": "text/csv"}


def _hub(request: Request) -> Hub:
    return request.app.state.hub


class Columns(BaseModel):
    """The columns of a tick."""

    n: int
    columns: list[ColumnInfo]


@router.get("/status")
async def get_status(request: Request) -> m.Status:
    """The status."""
    return status(_hub(request))


@router.get("/config")
async def get_config(request: Request) -> dict[str, Any]:
    """The configuration in force; infinity is 'inf'."""
    return describe.json_safe(_hub(request).config)


@router.get("/config/schema")
async def get_config_schema() -> dict[str, Any]:
    """The JSON schema of the configuration, with units, bounds and meanings."""
    return describe.config_schema()


@router.get("/columns")
async def get_columns(request: Request) -> Columns:
    """The columns of a tick: stage, shape, unit, meaning."""
    n = _hub(request).n
    return Columns(n=n, columns=describe.column_infos(n))


@router.get("/commands")
async def get_commands() -> list[CommandInfo]:
    """The commands of the line protocol."""
    return describe.command_infos()


@router.get("/commands/schema")
async def get_command_schemas() -> dict[str, Any]:
    """The JSON schema of every command, by its word."""
    return describe.json_safe(protocol.schema())


@router.get("/arm.urdf", response_class=FileResponse)
async def get_urdf(arm: Annotated[str, Query(max_length=64)]) -> FileResponse:
    """The URDF of an arm."""
    try:
        path = load_arm(arm).urdf
    except UnknownNameError as error:
        raise HTTPException(404, str(error)) from None
    return FileResponse(path, media_type="application/xml")


@router.get("/arms")
async def get_arms() -> list[str]:
    """The arms that are known."""
    return arm_names()


@router.get("/recordings")
async def get_recordings(request: Request) -> list[RecordingFile]:
    """The recordings in the folder, newest first."""
    return listed(_hub(request).recorder.folder)


@router.get("/recordings/{name}", response_class=FileResponse)
async def get_recording(request: Request, name: str) -> FileResponse:
    """A recording, as a file."""
    path = _found(request, name)
    return FileResponse(path, media_type=_KINDS[path.suffix], filename=path.name)


@router.get("/recordings/{name}/plot.png", response_class=Response)
async def get_plot(request: Request, name: str) -> Response:
    """A recording as a picture."""
    recorder, path = _hub(request).recorder, _found(request, name)
    if not recorder.can_plot:
        raise HTTPException(501, "recordings cannot be drawn here")
    try:
        return Response(await recorder.plot(path), media_type="image/png")
    except (PliantError, TimeoutError) as error:
        raise HTTPException(422, str(error) or "it took too long") from None


@router.post("/sequence/read")
async def post_sequence_read(request: Request) -> SequenceFile:
    """The first sequence of a YAML file, which is the body of the request."""
    text = (await request.body()).decode(errors="replace")
    try:
        # a long file takes some tenths of a second
        return await asyncio.to_thread(read_sequence, text, _hub(request).n)
    except ConfigError as error:
        raise HTTPException(422, str(error)) from None


@router.post("/sequence/write", response_class=PlainTextResponse)
async def post_sequence_write(request: Request) -> PlainTextResponse:
    """A YAML file with one sequence, whose steps are the JSON body of the request."""
    try:
        # not by FastAPI, whose message about a body that is not UTF-8 is not UTF-8 either
        steps = _STEPS.validate_json(await request.body())
    except ValidationError as error:
        raise HTTPException(422, explain(error)) from None
    return PlainTextResponse(write_sequence(steps), media_type="text/yaml")


def _found(request: Request, name: str) -> Path:
    try:
        return find(_hub(request).recorder.folder, name)
    except UnknownNameError as error:
        raise HTTPException(404, str(error)) from None
