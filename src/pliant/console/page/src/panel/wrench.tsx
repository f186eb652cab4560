/** The target wrench of the force-controlled axes. */

import { signal } from "@preact/signals";
import { FRAMES, WRENCH_AXES } from "../generated";
import { useColumn } from "../core/live";
import { fixed } from "../core/format";
import { command, has, mayCommand } from "../core/store";
import { Section } from "../ui/section";
import { SixFields } from "../ui/six";
import { wrenchFrame } from "./frames";

export const wrench = signal<number[]>([0, 0, 0, 0, 0, 0]);
const clamped = signal<boolean[]>([]);

/** Send a target; values that the controller clamped are written into the fields and marked. */
export async function sendWrench(
  values: readonly number[],
  frame = wrenchFrame.value,
): Promise<boolean> {
  wrench.value = [...values];
  const reply = await command(`WRENCH ${values.join(" ")} ${frame}`);
  if (!reply.ok) return false;
  const applied = reply.value as number[] | null;
  if (applied) {
    clamped.value = applied.map((value, i) => Math.abs(value - values[i]!) > 1e-9);
    wrench.value = applied;
  }
  return true;
}

export function WrenchTarget() {
  const target = useColumn("w_target");
  const inWorld = FRAMES[useColumn("w_target_frame")[0] ?? 0] === "world";
  const able = mayCommand.value && has("WRENCH");
  const edited = (values: number[]) => {
    clamped.value = [];
    wrench.value = values;
  };
  return (
    <Section id="wrench" title="Wrench target" summary={inForce(target, inWorld)}>
      <SixFields
        names={WRENCH_AXES}
        units={["N", "N·m"]}
        values={wrench.value}
        marks={clamped.value.map((on) => (on ? "clamped" : undefined))}
        onCommit={edited}
        onEnter={() => sendWrench(wrench.value)}
        disabled={!able}
        title="The wrench that the environment exerts on the tool"
      />
      {clamped.value.some(Boolean) && (
        <p class="note" role="status" data-testid="clamped">
          The marked values were clamped to the limits in force.
        </p>
      )}
      <div class="row">
        <span class="note">
          in <b style={{ color: `var(--wrench-${wrenchFrame.value})` }}>{wrenchFrame.value}</b>{" "}
          axes; Fz = −5 presses with 5 N
        </span>
        <button
          type="button"
          class="push quiet"
          disabled={!able}
          onClick={() => sendWrench([0, 0, 0, 0, 0, 0])}
        >
          Zero
        </button>
        <button
          type="button"
          class="primary"
          disabled={!able}
          onClick={() => sendWrench(wrench.value)}
        >
          Send wrench
        </button>
      </div>
    </Section>
  );
}

function inForce(target: Float64Array, inWorld: boolean): string {
  const parts = WRENCH_AXES.flatMap((name, i) =>
    target[i] ? [`${name} ${fixed(target[i], i < 3 ? 1 : 2)}`] : [],
  );
  return parts.length ? `${parts.join("  ")}${inWorld ? " (world)" : ""}` : "no force target";
}
