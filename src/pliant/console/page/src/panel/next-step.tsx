/** The next step towards a compliant arm, and the button that takes it. */

import { COMPLIANCE_LAW } from "../generated";
import { words } from "../core/format";
import { command, has, mayCommand, running, status } from "../core/store";

interface Step {
  text: string;
  label: string;
  line: string;
}

function nextStep(): Step | null {
  const now = status.value;
  if (!running.value || !now || now.kind !== "pliant" || !mayCommand.value) return null;
  if (now.state === "FAULT") return { text: "Stopped by a fault.", label: "Reset", line: "RESET" };
  if (now.fault) return null;
  if (!now.ready && !now.law)
    return { text: "The force sensor is not ready.", label: "Zero sensor", line: "ZERO" };
  if (!now.law)
    return {
      text: "No law is in charge: the arm holds.",
      label: `Use ${words(COMPLIANCE_LAW)}`,
      line: `LAW ${COMPLIANCE_LAW}`,
    };
  return null;
}

export function NextStep() {
  const step = nextStep();
  if (!step || !has(step.line.split(" ")[0]!)) return null;
  return (
    <div class="banner next row" data-testid="next-step">
      <span class="grow">{step.text}</span>
      <button type="button" class="small primary" onClick={() => command(step.line)}>
        {step.label}
      </button>
    </div>
  );
}
