"""The `hello` message: the arm, its columns, commands and parameters."""

from functools import cache
from inspect import cleandoc
from math import isinf, isnan
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from pliant import commands
from pliant.arms.description import ArmDescription, arm_names, load_arm
from pliant.commands.handlers.controller_presets import preset_docs
from pliant.commands.handlers.live_parameters import live_paths
from pliant.commands.line_protocol import meaning, usage
from pliant.config import Config
from pliant.console.server.backend import Backend
from pliant.console.server.facts import (
    ArmInfo,
    Capabilities,
    ColumnInfo,
    CommandField,
    CommandInfo,
    LawDoc,
    SceneInfo,
)
from pliant.console.server.frames import column_type
from pliant.console.server.identities import Identity
from pliant.console.server.messages import Hello
from pliant.console.server.settings import Settings
from pliant.laws import LAWS
from pliant.laws.hybrid_admittance import PRESETS
from pliant.sim.scenes import SCENES, scene_class
from pliant.sim.spec import PREFIX
from pliant.tick import N, columns
from pliant.version import __version__

URDF_PATH = "/api/arm.urdf"


def robot_specs() -> list[str]:
    """The simulated arms and scenes that a viewer can start."""
    scenes = ["" if scene == "free" else f"/{scene}" for scene in SCENES]
    return [f"{PREFIX}{arm}{scene}" for arm in arm_names() for scene in scenes]


def arm_of(spec: str) -> ArmDescription:
    """The description of the arm in a spec; that of the last known arm if the spec names none."""
    name = spec.partition(":")[2].partition("/")[0]
    return load_arm(name if name in arm_names() else arm_names()[-1])


def hello(
    identity: Identity,
    heartbeat: float,
    settings: Settings,
    spec: str,
    backend: Backend | None,
    config: dict[str, Any],
    *,
    record: bool,
    plot: bool,
) -> Hello:
    """The first message to a viewer."""
    arm = arm_of(spec)
    return Hello(
        you=identity.name,
        id=identity.id,
        secret=identity.secret,
        version=__version__,
        heartbeat=heartbeat,
        lease_timeout=settings.lease_timeout,
        robots=robot_specs(),
        binaries=list(settings.binaries),
        defaults=settings.start,
        columns=column_infos(arm.n),
        commands=command_infos(),
        laws=backend.laws if backend else [],
        law_docs=law_docs(),
        presets={name: json_safe(gains) for name, gains in PRESETS.items()},
        preset_docs=preset_docs(arm.takes_torque),
        config=json_safe(config),
        config_schema=config_schema(),
        live=list(live_paths(arm)),
        arm=arm_info(spec, arm, backend.dt if backend else 1.0 / arm.rate, config),
        scene=_scene(backend, spec),
        capabilities=Capabilities(
            words=backend.words if backend else [],
            columns=backend.columns if backend else [],
            push=bool(backend and "PUSH" in backend.words and spec.startswith(PREFIX)),
            record=record,
            plot=plot,
            watch_only=bool(backend and backend.watch_only),
        ),
    )


def arm_info(spec: str, arm: ArmDescription, dt: float, config: dict[str, Any]) -> ArmInfo:
    """The parameters of an arm that a page needs for drawing it and for its sliders."""
    return ArmInfo(
        spec=spec,
        name=arm.name,
        n=arm.n,
        dt=dt,
        joints=list(arm.joint_names),
        q_min=arm.q_min.tolist(),
        q_max=arm.q_max.tolist(),
        qd_max=arm.qd_max.tolist(),
        tau_max=arm.tau_max.tolist(),
        home=arm.home.tolist(),
        interface=arm.interface,
        temperature_max=arm.temperature_max,
        urdf=f"{URDF_PATH}?arm={arm.name}",
        flange=arm.flange,
        X_FT=list(config["tool"]["X_FT"]),
    )


@cache
def column_infos(n: int) -> list[ColumnInfo]:
    """Every column of a tick for n joints."""
    return [
        ColumnInfo(
            name=name,
            stage=declared.stage,
            type=column_type(annotation),
            shape=[n if size == N else size for size in declared.shape],
            unit=declared.unit,
            doc=declared.doc,
        )
        for name, declared, annotation in columns()
    ]


@cache
def command_infos() -> list[CommandInfo]:
    """Every command of the line protocol."""
    return [
        CommandInfo(
            word=kind.word,
            subject=_subject(kind),
            usage=usage(kind),
            doc=meaning(kind),
            anyone=kind.anyone,
            asks=kind.asks,
            moves=kind.moves,
            streams=kind.streams,
            changes_config=kind.changes_config,
            fields=[_field(name, field) for name, field in kind.model_fields.items()],
        )
        for kind in commands.COMMANDS
    ]


@cache
def config_schema() -> dict[str, Any]:
    """The JSON schema of the configuration, with units, bounds and meanings."""
    return json_safe(Config.model_json_schema())


@cache
def law_docs() -> dict[str, LawDoc]:
    """The first two paragraphs of each law's docstring: equation and behaviour."""
    return {law.name: _law_doc(cleandoc(law.__doc__ or "")) for law in LAWS}


def json_safe(value: Any) -> Any:
    """A value as standard JSON: infinity is 'inf', which SET accepts, and NaN is null."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="python", round_trip=True)
    if isinstance(value, dict):
        return {key: json_safe(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(part) for part in value]
    if isinstance(value, float) and isinf(value):
        return "inf" if value > 0 else "-inf"
    return None if isinstance(value, float) and isnan(value) else value


_PLAIN = str.maketrans({"\n": " ", "`": None})


def _law_doc(doc: str) -> LawDoc:
    equation, _, rest = doc.partition("\n\n")
    return LawDoc(equation=equation, behaviour=rest.partition("\n\n")[0].translate(_PLAIN))


def _subject(kind: type[commands.Command]) -> str:
    """The subject of a command, by the module that declares it: `tool_commands` is tool."""
    return kind.__module__.rpartition(".")[2].removesuffix("_commands")


def _field(name: str, field: Any) -> CommandField:
    extra = field.json_schema_extra
    literal = get_origin(field.annotation) is Literal
    return CommandField(
        name=name,
        tokens=str(extra["tokens"]).split(),
        unit=extra["unit"],
        doc=field.description or "",
        required=field.is_required(),
        choices=[str(choice) for choice in get_args(field.annotation)] if literal else [],
    )


def _scene(backend: Backend | None, spec: str) -> SceneInfo | None:
    """The nominal geometry of the scene; its defaults if the scene has not been started."""
    nominal = backend.scene if backend else None
    if nominal is None and spec.startswith(PREFIX):
        nominal = scene_class(spec.partition("/")[2] or "free")().nominal()
    if nominal is None:
        return None
    return SceneInfo(
        name=nominal.name,
        X_WH=list(nominal.X_WH) if nominal.X_WH else None,
        hole_depth=nominal.hole_depth,
        peg_radius=nominal.peg_radius,
    )
