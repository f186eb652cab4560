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
  const { presets = {}, preset_docs: docs = {} } = hello.value ?? {};
  const controllers = Object.keys(docs).filter((name) => !(name in presets));
  if (Object.keys(presets).length === 0 || !has("PRESET")) return null;
  return (
    <>
      <PresetButtons label="Presets" names={Object.keys(presets)} docs={docs} plain={plain} />
      {plain && controllers.length > 0 && (
        <PresetButtons
          label="Controllers, most of which move the arm"
          names={controllers}
          docs={docs}
        />
      )}
    </>
  );
}

interface PresetsOf {
  label: string;
  names: string[];
  docs: Record<string, string>;
  plain?: boolean;
}

function PresetButtons({ label, names, docs, plain = false }: PresetsOf) {
  return (
    <div class="row wrap" role="group" aria-label={label}>
      {!plain && <span class="soft">{label}</span>}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="small"
          title={docs[name]}
          disabled={!mayCommand.value}
          onClick={() => command(`PRESET ${name}`)}
        >
          {name.replaceAll("_", " ")}
        </button>
      ))}
    </div>
  );
}
