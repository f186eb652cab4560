/** Address, duration and rate of the next start. */

import { running, status } from "../core/store";
import { Section } from "../ui/section";
import { Value } from "../ui/value";
import { asked, edit } from "./start";

export function RunParameters() {
  const fields = asked();
  const rate = fields.rate ?? NaN;
  const duration = fields.duration ?? 0;
  const busy = running.value || status.value?.phase === "starting";
  return (
    <Section
      id="run"
      title="Run parameters"
      closed
      summary={`${Number.isFinite(rate) ? `${rate} Hz` : "the arm's rate"} · ${duration ? `${duration} s` : "until Stop"}`}
    >
      <label class="field">
        <span class="name">Address</span>
        <input
          aria-label="Robot address"
          value={fields.address ?? ""}
          placeholder="simulated"
          disabled={busy}
          onInput={(event) => edit({ address: event.currentTarget.value })}
        />
        <span class="unit" />
      </label>
      <div class="field">
        <span class="name">Duration</span>
        <Value
          label="Duration"
          value={duration}
          disabled={busy}
          onCommit={(value) => edit({ duration: Math.max(0, value) })}
        />
        <span class="unit">s</span>
      </div>
      <div class="field">
        <span class="name">Rate</span>
        <Value
          label="Rate"
          value={rate}
          disabled={busy}
          onCommit={(value) => edit({ rate: value > 0 ? value : null })}
        />
        <span class="unit">Hz</span>
      </div>
      <p class="note">
        For the next start. A duration of 0 runs until Stop; without a rate the arm's own rate is
        used.
      </p>
    </Section>
  );
}
