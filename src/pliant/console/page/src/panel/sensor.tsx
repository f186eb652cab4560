/** The force sensor: its verdict, zeroing, and the weight of the tool. */

import { VERDICT_READY, VERDICTS } from "../generated";
import { useColumn } from "../core/live";
import { isLive } from "../core/schema";
import { command, has, mayCommand, running, status } from "../core/store";
import { Parameter } from "../ui/parameter";
import { Section } from "../ui/section";

export function Sensor() {
  const verdict = useColumn("verdict")[0];
  const zeroLeft = useColumn("zero_left")[0] ?? 0;
  const ready = verdict === VERDICT_READY;
  const words = verdict === undefined ? "" : VERDICTS[String(verdict)];
  const summary =
    zeroLeft > 0 ? "zeroing" : ready ? "ready" : verdict === undefined ? "" : "not ready";
  return (
    <Section id="sensor" title="Sensor" summary={<span data-testid="sensor">{summary}</span>}>
      {!ready && words && <p class="banner">{words}</p>}
      <div class="row">
        <span class="note">Zero it with the tool free, at rest, and without a force target.</span>
        {status.value?.law && has("OFF") && (
          <button
            type="button"
            class="push"
            disabled={!mayCommand.value}
            onClick={() => command("OFF")}
          >
            End law
          </button>
        )}
        <button
          type="button"
          class={status.value?.law ? "" : "push"}
          disabled={!mayCommand.value || !has("ZERO")}
          onClick={() => command("ZERO")}
        >
          Zero
        </button>
      </div>
      <Parameter path="tool.mass" name="Tool weight" terse />
      <Parameter path="tool.com_F" name="Its centre" terse />
      {running.value && !has("ZERO") && (
        <p class="note">Zeroing is not available with this program.</p>
      )}
      {running.value && has("SET") && (
        <p class="note">
          {isLive("tool.mass")
            ? "Changes of tool weight and centre act at once; the sensor need not be zeroed again."
            : "The model of a torque arm includes the tool: it is fixed until the next start."}
        </p>
      )}
    </Section>
  );
}
