/** Selects the force-controlled axes. */

import { signal } from "@preact/signals";
import { AXES } from "../generated";
import { useColumn } from "../core/live";
import { command, has, mayCommand } from "../core/store";
import { Section } from "../ui/section";

export const mask = signal<boolean[]>([false, false, false, false, false, false]);

const MASKS: readonly [string, string][] = [
  ["none", "000000"],
  ["z", "001000"],
  ["x y z", "111000"],
  ["all", "111111"],
];

/** Whether each axis of the tool is force-controlled, from the newest tick. */
export function forceControlled(): boolean[] {
  const n = useColumn("n_af")[0] ?? 0;
  const Tr = useColumn("Tr");
  return AXES.map((_, axis) => {
    for (let row = 0; row < n; row++) if (Math.abs(Tr[6 * row + axis] ?? 0) > 1e-3) return true;
    return false;
  });
}

export function sendAxes(axes: readonly boolean[]): Promise<{ ok: boolean }> {
  mask.value = [...axes];
  return command(`AXIS ${axes.map(Number).join(" ")}`);
}

export function ComplianceAxes() {
  const now = forceControlled();
  const names = AXES.filter((_, i) => now[i]);
  const edited = mask.value.some((on, i) => on !== now[i]);
  const able = mayCommand.value && has("AXIS");
  const toggle = (axis: number) => {
    mask.value = mask.value.map((on, i) => (i === axis ? !on : on));
  };
  return (
    <Section
      id="axes"
      title="Compliance axes"
      summary={
        <span data-testid="axes-now">
          {names.length ? `by force: ${names.join(" ")}` : "all rigid"}
        </span>
      }
    >
      <div class="axes">
        {AXES.map((name, i) => (
          <label key={name} class={`axis ${now[i] ? "forced" : ""}`}>
            <input
              type="checkbox"
              aria-label={`force-controlled ${name}`}
              checked={mask.value[i]}
              disabled={!able}
              onChange={() => toggle(i)}
            />
            <span>{name}</span>
            <small>{now[i] ? "force" : "position"}</small>
          </label>
        ))}
      </div>
      <div class="row">
        {MASKS.map(([label, bits]) => (
          <button
            key={label}
            type="button"
            class="small quiet"
            disabled={!able}
            onClick={() => (mask.value = [...bits].map((bit) => bit === "1"))}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          class={`push ${edited ? "primary" : ""}`}
          disabled={!able}
          onClick={() => sendAxes(mask.value)}
        >
          Send axes
        </button>
      </div>
    </Section>
  );
}
