/** Stiffness, damping, inertia, presets, limits, filter; and every other parameter. */

import { AXES, COMPLIANCE_LAW } from "../generated";
import { hello, command, has, mayCommand } from "../core/store";
import { Group } from "../ui/group";
import { Parameter, Parameters } from "../ui/parameter";
import { Section } from "../ui/section";
import { ContactMargins } from "./margins";

const LAW = `laws.${COMPLIANCE_LAW}`;

export function Advanced() {
  return (
    <Section id="advanced" title="Advanced" closed summary="gains, limits, filter: live">
      <Presets />
      <div class="six">
        {AXES.map((name) => (
          <span key={name} class="head">
            {name}
          </span>
        ))}
      </div>
      <Parameter path={`${LAW}.stiffness`} name="Stiffness K" terse />
      <Parameter path={`${LAW}.damping`} name="Damping D" terse />
      <Parameter path={`${LAW}.inertia`} name="Inertia M" terse />
      <Parameter path="supervisor.wrench_limit" name="Wrench limits ±" terse />
      <Parameter path="wrench.dead_band" name="Dead band" terse />
      <Parameter path="wrench.cutoff" name="Low-pass filter" terse />
      <ContactMargins />
      <Group title="All parameters">{() => <Parameters path="" />}</Group>
    </Section>
  );
}

export function Presets({ plain = false }: { plain?: boolean }) {
  const names = Object.keys(hello.value?.presets ?? {});
  if (names.length === 0 || !has("PRESET")) return null;
  const disabled = !mayCommand.value;
  return (
    <div class="row wrap" role="group" aria-label="Presets">
      {!plain && <span class="soft">Presets</span>}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="small"
          disabled={disabled}
          onClick={() => command(`PRESET ${name}`)}
        >
          {name.replaceAll("_", " ")}
        </button>
      ))}
    </div>
  );
}
