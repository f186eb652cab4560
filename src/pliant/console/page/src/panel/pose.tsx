/** The reference of the tool: moved by a delta, or to an absolute pose. */

import { signal } from "@preact/signals";
import { AXES } from "../generated";
import { latest, useColumn } from "../core/live";
import {
  angleOf,
  eulerFromQuat,
  quatFromEuler,
  quatMultiply,
  rotationVector,
  type Quat,
} from "../core/spatial";
import { command, has, mayCommand } from "../core/store";
import { Section } from "../ui/section";
import { Segmented } from "../ui/segmented";
import { SixFields } from "../ui/six";
import { positionFrame } from "./frames";

type Mode = "delta" | "absolute";

/** The page warns of a larger turn, and clips an entry to a full turn, degrees. */
const LARGE = 45;
const FULL = 360;

export const poseMode = signal<Mode>("delta");
const delta = signal<number[]>([0, 0, 0, 0, 0, 0]);
const absolute = signal<number[]>([0, 0, 0, 0, 0, 0]);
const clipped = signal<boolean[]>([]);

export function moveBy(
  values: readonly number[],
  frame = positionFrame.value,
): Promise<{ ok: boolean }> {
  const turn = rotationVector(quatFromEuler(values.slice(3)));
  return command(`RELD ${[...values.slice(0, 3), ...turn].join(" ")} ${frame}`);
}

export function moveTo(values: readonly number[]): Promise<{ ok: boolean }> {
  const turn = rotationVector(quatFromEuler(values.slice(3)));
  return command(`REFA ${[...values.slice(0, 3), ...turn].join(" ")}`);
}

export function PoseReference() {
  const isDelta = poseMode.value === "delta";
  const fields = isDelta ? delta : absolute;
  const done = useColumn("ref_done")[0];
  const able = mayCommand.value && has(isDelta ? "RELD" : "REFA");
  const turn = turnOf(fields.value, isDelta);
  const commit = (values: number[]) => {
    fields.value = values.map((value, i) =>
      i < 3 ? value : Math.max(-FULL, Math.min(FULL, value)),
    );
    clipped.value = values.map((value, i) => value !== fields.value[i]);
  };
  const move = () => (isDelta ? moveBy(delta.value) : moveTo(absolute.value));
  return (
    <Section
      id="pose"
      title="Pose reference"
      summary={done === 0 ? "moving" : done === 1 ? "at rest" : ""}
    >
      <div class="row">
        <Segmented
          label="Pose mode"
          value={poseMode.value}
          options={[
            { value: "delta", label: "Delta" },
            { value: "absolute", label: "Absolute" },
          ]}
          onChange={(mode) => {
            poseMode.value = mode;
            clipped.value = [];
            if (mode === "absolute") absolute.value = poseNow("X_WR");
          }}
        />
        <span class="note push">{frameNote(isDelta)}</span>
      </div>
      <SixFields
        of={isDelta ? "delta" : "pose"}
        names={isDelta ? AXES.map((name, i) => (i < 3 ? `d${name}` : name)) : AXES}
        units={["m", "°"]}
        values={fields.value}
        marks={clipped.value.map((on) => (on ? "clamped" : undefined))}
        onCommit={commit}
        onEnter={move}
        disabled={!able}
        title="Metres; degrees about the fixed axes x, then y, then z"
      />
      {turn > LARGE && (
        <p class="banner" role="alert" data-testid="turn-warning">
          Turns the tool by {Math.round(turn)}°: check joint limits and singularities.
        </p>
      )}
      <div class="row">
        {!isDelta && (
          <button type="button" class="quiet" onClick={() => (absolute.value = poseNow("X_WT"))}>
            Take tool
          </button>
        )}
        <button
          type="button"
          class="push quiet"
          disabled={!mayCommand.value || !has("HOLD")}
          onClick={() => command("HOLD")}
        >
          Hold
        </button>
        <button type="button" class="primary" disabled={!able} onClick={move}>
          {isDelta ? "Move by" : "Move to"}
        </button>
      </div>
    </Section>
  );
}

function frameNote(isDelta: boolean) {
  const frame = isDelta ? positionFrame.value : "world";
  return (
    <>
      in <b style={{ color: `var(--position-${frame})` }}>{frame}</b> axes, fixed-axis xyz degrees
    </>
  );
}

/** How far the command turns the reference, degrees; for a delta at least its largest entry. */
function turnOf(values: readonly number[], isDelta: boolean): number {
  const asked = quatFromEuler(values.slice(3));
  if (isDelta) return Math.max(angleOf(asked), ...values.slice(3).map(Math.abs));
  const [, , , w, x, y, z] = latest("X_WR");
  return w === undefined ? 0 : angleOf(quatMultiply([w, -x!, -y!, -z!], asked));
}

function poseNow(column: string): number[] {
  const [x, y, z, ...turn] = latest(column);
  if (turn.length < 4) return [0, 0, 0, 0, 0, 0];
  const rounded = eulerFromQuat(turn as unknown as Quat).map((angle) => Number(angle.toFixed(4)));
  return [...[x!, y!, z!].map((value) => Number(value.toFixed(6))), ...rounded];
}
