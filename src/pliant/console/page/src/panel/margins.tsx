/** The contact margins of each axis with the gains in force, computed by the server. */

import type { AxisMargin } from "../generated";
import { figure } from "../core/format";
import { margins, running } from "../core/store";
import { Parameter } from "../ui/parameter";
import { forceControlled } from "./axes";

const TONES = { unstable: "bad", rings: "warn", "well damped": "ok" } as const;

export function ContactMargins() {
  const now = margins.value;
  const controlled = forceControlled();
  if (!now || !running.value) return null;
  const unit = (axis: number) => (axis < 3 ? "N/mm" : "N·m/rad");
  return (
    <div class="margins" data-testid="margins">
      <div class="row">
        <span class="soft">Stiffest surface an axis can touch</span>
        <span class="unit push">
          {controlled.some(Boolean) ? "by force: bold" : "all rigid now"}
        </span>
      </div>
      <table class="num">
        <thead>
          <tr>
            <th />
            <th>well damped to</th>
            <th>stable to</th>
            <th />
            <th>{now.surface === null ? "" : `on ${figure(1e-3 * now.surface)} N/mm`}</th>
          </tr>
        </thead>
        <tbody>
          {now.axes.map((margin, i) => (
            <tr key={margin.axis} class={controlled[i] ? "forced" : ""} data-axis={margin.axis}>
              <th scope="row">{margin.axis}</th>
              <td>{stiffness(margin.well_damped, i)}</td>
              <td>{stiffness(margin.stable, i)}</td>
              <td class="unit">{unit(i)}</td>
              <td class={margin.expected ? TONES[margin.expected] : ""}>{verdict(margin)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Parameter path="contact.surface_stiffness" name="Expected surface" terse />
      {now.surface === null && (
        <p class="note">Enter the stiffest surface that you expect to check every axis.</p>
      )}
    </div>
  );
}

function stiffness(value: number | null, axis: number): string {
  if (value === null) return "any";
  return figure(axis < 3 ? 1e-3 * value : value);
}

/** The contact with the expected surface, and the gains that would make it well damped. */
function verdict(margin: AxisMargin): string {
  if (margin.expected === null || margin.expected === "well damped") return margin.expected ?? "";
  const { damping_needed: D, inertia_needed: M } = margin;
  if (D === null) return `${margin.expected}; no D helps`;
  return `${margin.expected}; needs D ${figure(D)}${M === null ? "" : `, M ${figure(M)}`}`;
}
