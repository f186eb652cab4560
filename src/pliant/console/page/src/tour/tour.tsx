/** A guided peg insertion on the simulated arm. */

import { signal } from "@preact/signals";
import { DEFAULT_ROBOT } from "../generated";
import { pulse } from "../core/live";
import { hasHole, STEPS } from "./steps";

const open = signal(false);
const at = signal(0);
const acting = signal(false);
let run = 0;

export function openTour(): void {
  open.value = true;
  at.value = 0;
}

function close(): void {
  run++;
  open.value = false;
  acting.value = false;
}

async function act(all: boolean): Promise<void> {
  const mine = ++run;
  const wanted = () => run === mine;
  acting.value = true;
  do {
    await STEPS[at.value]!.act(wanted);
    if (!wanted()) return;
    if (!all || at.value === STEPS.length - 1) break;
    at.value++;
  } while (wanted());
  acting.value = false;
}

export function Tour() {
  if (!open.value) return null;
  pulse.value;
  const step = STEPS[at.value]!;
  const last = at.value === STEPS.length - 1;
  return (
    <section class="tour" role="dialog" aria-label="Tour: insert a peg">
      <div class="row">
        <ol class="dots" aria-hidden="true">
          {STEPS.map((_, i) => (
            <li key={i} class={i < at.value ? "past" : i === at.value ? "now" : ""} />
          ))}
        </ol>
        <span class="note">
          Step {at.value + 1} of {STEPS.length}
        </span>
        <button type="button" class="quiet small push" onClick={close}>
          Close
        </button>
      </div>
      <h2>{step.title}</h2>
      <p>
        {hasHole()
          ? step.text
          : `The tour needs a scene with a hole: choose ${DEFAULT_ROBOT} under Connection.`}
      </p>
      <div class="row">
        <span class={`pill ${step.done() ? "ok" : ""}`} data-testid="tour-state">
          {step.done() ? "done" : acting.value ? "under way" : "to do"}
        </span>
        <span class="push" />
        <button type="button" disabled={acting.value || !hasHole()} onClick={() => act(true)}>
          Play all
        </button>
        <button type="button" disabled={acting.value || !hasHole()} onClick={() => act(false)}>
          Do it
        </button>
        <button type="button" disabled={at.value === 0} onClick={() => (at.value -= 1)}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          disabled={acting.value && !step.done()}
          onClick={() => (last ? close() : (at.value += 1))}
        >
          {last ? "Finish" : "Next"}
        </button>
      </div>
    </section>
  );
}
