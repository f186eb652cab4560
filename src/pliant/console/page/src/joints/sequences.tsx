/** The sequence section of the motor page: edit, run, open, save. */

import type { SequenceStep } from "../generated";
import { latest } from "../core/live";
import { hello, mayCommand, notify } from "../core/store";
import { download } from "../plots/export";
import { Section } from "../ui/section";
import { Value } from "../ui/value";
import { at, readSequence, runSequence, steps, stopSequence, writeSequence } from "./sequence";
import { DEGREES } from "./state";

const DURATION = 3;

export function Sequences({ n }: { n: number }) {
  const running = at.value >= 0;
  const ready = mayCommand.value && steps.value.length > 0 && !running;
  const add = () => {
    steps.value = [
      ...steps.value,
      { positions: [...latest("q")].slice(0, n), speed: null, duration: DURATION },
    ];
  };
  const open = async (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    try {
      const read = await readSequence(file);
      steps.value = read.steps;
      notify(true, `${read.name}: ${read.steps.length} steps`);
    } catch (error) {
      notify(false, `${file.name}: ${(error as Error).message}`);
    }
    input.value = "";
  };
  const save = async () => {
    try {
      download("sequence.yaml", await writeSequence(steps.value));
    } catch (error) {
      notify(false, (error as Error).message);
    }
  };
  return (
    <Section
      id="sequence"
      title="Sequence"
      closed
      summary={
        running ? `step ${at.value + 1} of ${steps.value.length}` : `${steps.value.length} steps`
      }
    >
      {steps.value.length > 0 && <Steps />}
      <div class="row wrap">
        <button type="button" class="small" onClick={add}>
          Add where it is
        </button>
        <label class="button small">
          Open…
          <input
            type="file"
            accept=".yaml,.yml"
            class="hidden"
            aria-label="Open sequence"
            onChange={open}
          />
        </label>
        <button type="button" class="small" disabled={steps.value.length === 0} onClick={save}>
          Save
        </button>
        <span class="push" />
        <button type="button" class="small" disabled={!ready} onClick={() => runSequence("once")}>
          Run
        </button>
        <button type="button" class="small" disabled={!ready} onClick={() => runSequence("timed")}>
          Timed
        </button>
        <button type="button" class="small" disabled={!ready} onClick={() => runSequence("cycle")}>
          Cycle
        </button>
        <button type="button" class="small" disabled={!running} onClick={stopSequence}>
          Stop
        </button>
      </div>
    </Section>
  );
}

function Steps() {
  const change = (index: number, step: Partial<SequenceStep>) => {
    steps.value = steps.value.map((old, i) => (i === index ? { ...old, ...step } : old));
  };
  const joints = hello.value?.arm.joints ?? [];
  return (
    <div class="steps">
      <table class="num">
        <thead>
          <tr>
            <th />
            {joints.map((_, joint) => (
              <th key={joint} title={joints[joint]}>
                {joint} °
              </th>
            ))}
            <th title="Speed, or else the duration">°/s</th>
            <th title="Duration, or else the speed">s</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {steps.value.map((step, index) => (
            <tr key={index} class={at.value === index ? "now" : ""}>
              <th scope="row">{index + 1}</th>
              {step.positions.map((position, joint) => (
                <td key={joint}>
                  <Value
                    label={`step ${index + 1} joint ${joint}`}
                    value={Number((position * DEGREES).toFixed(2))}
                    onCommit={(degrees) =>
                      change(index, {
                        positions: step.positions.map((old, j) =>
                          j === joint ? degrees / DEGREES : old,
                        ),
                      })
                    }
                  />
                </td>
              ))}
              <td>
                <Value
                  label={`step ${index + 1} speed`}
                  value={step.speed === null ? NaN : Number((step.speed * DEGREES).toFixed(2))}
                  onCommit={(degrees) =>
                    degrees > 0 && change(index, { speed: degrees / DEGREES, duration: null })
                  }
                />
              </td>
              <td>
                <Value
                  label={`step ${index + 1} duration`}
                  value={step.duration ?? NaN}
                  onCommit={(duration) => duration > 0 && change(index, { duration, speed: null })}
                />
              </td>
              <td>
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`Remove step ${index + 1}`}
                  onClick={() => (steps.value = steps.value.filter((_, i) => i !== index))}
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
