/** Sensed and desired wrench and the error, axis by axis. */

import { WRENCH_AXES } from "../generated";
import { fixed } from "../core/format";
import { useColumn } from "../core/live";
import { toNumber, valueAt } from "../core/schema";
import { Section } from "../ui/section";
import { forceControlled } from "./axes";

/** An error up to this share of the desired value is good. */
const SHARE = 0.1;

export function WrenchMonitor() {
  const sensed = useColumn("w_T");
  const desired = useColumn("w_desired_T");
  const band = numbersAt("wrench.dead_band");
  const limits = numbersAt("supervisor.wrench_limit");
  const controlled = forceControlled();
  return (
    <Section id="monitor" title="Wrench monitor" summary="tool axes, on the tool">
      <table class="monitor" data-testid="monitor">
        <thead>
          <tr>
            <th />
            <th>sensed</th>
            <th>desired</th>
            <th>error</th>
            <th class="trace">of the limits</th>
          </tr>
        </thead>
        <tbody>
          {WRENCH_AXES.map((name, i) => {
            const digits = i < 3 ? 2 : 3;
            const error = sensed[i]! - desired[i]!;
            const good = Math.abs(error) <= Math.max(SHARE * Math.abs(desired[i]!), band[i]!);
            const tone = controlled[i] ? (good ? "ok" : "bad") : "free";
            return (
              <tr key={name} class={tone} data-axis={name}>
                <th scope="row">
                  {name} <span class="unit">{i < 3 ? "N" : "N·m"}</span>
                </th>
                <td>{fixed(sensed[i], digits)}</td>
                <td>{fixed(desired[i], digits)}</td>
                <td class="error">{fixed(error, digits)}</td>
                <td class="trace">
                  <Needle sensed={sensed[i]!} desired={desired[i]!} full={limits[i]!} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

/** Sensed and desired value in the range of the limits. */
function Needle({ sensed, desired, full }: { sensed: number; desired: number; full: number }) {
  const place = (value: number) => 50 + 48 * Math.max(-1, Math.min(1, value / full || 0));
  const from = Math.min(50, place(sensed));
  return (
    <svg class="needle" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="4" width="100" height="2" class="rail" />
      <rect x={from} y="2" width={Math.abs(place(sensed) - 50)} height="6" class="sensed" />
      <rect x={place(desired) - 0.6} y="0" width="1.2" height="10" class="desired" />
      <rect x="49.75" y="1" width="0.5" height="8" class="centre" />
    </svg>
  );
}

/** The six numbers of a parameter. */
function numbersAt(path: string): number[] {
  return ((valueAt(path) ?? []) as unknown[]).map(toNumber);
}
