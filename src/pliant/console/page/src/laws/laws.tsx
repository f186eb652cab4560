/** Which law is in charge, its parameters, and the references that it can be given. */

import { signal } from "@preact/signals";
import { title, words } from "../core/format";
import { nodeAt } from "../core/schema";
import { command, has, hello, mayCommand, running, status } from "../core/store";
import { Presets } from "../panel/advanced";
import { CommandForm } from "../ui/command-form";
import { Parameters } from "../ui/parameter";
import { Section } from "../ui/section";

/** Commands that have a place of their own on the page, or that the page gives by itself. */
const ELSEWHERE = new Set(
  (
    "WRENCH AXIS RELD REFA HOLD STIFF DAMP INERT PRESET ZERO LAW OFF RESET SET GET STATE LEASE WATCHDOG " +
    "PING HELP STOP PUSH NAME MODE INTERACTION IMPEDANCE PMOVE PDIRECT VMOVE TORQUE OUTPUT SPEED ACCEL " +
    "JSTOP CALIBRATE INJECT JOINTS"
  ).split(" "),
);

const chosen = signal("");

export function Laws() {
  const laws = hello.value?.laws ?? [];
  const about = hello.value?.law_docs ?? {};
  const active = status.value?.law ?? "";
  const law = chosen.value || active || laws[0] || "";
  return (
    <div class="scroll">
      <Section
        id="laws"
        title="Law"
        summary={active ? words(active) : running.value && "none: the arm holds"}
      >
        <div class="laws" role="radiogroup" aria-label="Law">
          {laws.map((name) => (
            <button
              key={name}
              type="button"
              role="radio"
              aria-checked={law === name}
              class={`law ${active === name ? "active" : ""}`}
              onClick={() => (chosen.value = name)}
            >
              <b>{title(name)}</b>
              <span class="note">{about[name]?.equation}</span>
              {law === name && <span class="note">{about[name]?.behaviour}</span>}
            </button>
          ))}
        </div>
        {laws.length === 0 && (
          <p class="note">
            {running.value
              ? "What runs has no laws to choose from."
              : "Laws are listed once an arm runs."}
          </p>
        )}
        <div class="row">
          <button
            type="button"
            disabled={!mayCommand.value || !active || !has("OFF")}
            onClick={() => command("OFF")}
          >
            End law
          </button>
          {status.value?.state === "FAULT" && (
            <button type="button" disabled={!mayCommand.value} onClick={() => command("RESET")}>
              Reset fault
            </button>
          )}
          <button
            type="button"
            class="primary push"
            disabled={!mayCommand.value || !law || active === law || !has("LAW")}
            onClick={() => command(`LAW ${law}`)}
          >
            {laws.length > 0 ? `Put ${words(law)} in charge` : "Put in charge"}
          </button>
        </div>
      </Section>
      {has("PRESET") && (
        <Section id="presets" title="Presets" summary="gains by name">
          <Presets plain />
        </Section>
      )}
      {nodeAt(`laws.${law}`) && (
        <Section
          id="law-parameters"
          title={`Parameters of ${words(law)}`}
          summary={running.value && "live"}
        >
          <Parameters path={`laws.${law}`} />
        </Section>
      )}
      <References />
    </div>
  );
}

function References() {
  const offered = (hello.value?.commands ?? []).filter(
    (info) => has(info.word) && !ELSEWHERE.has(info.word),
  );
  return (
    <Section
      id="references"
      title="References and commands"
      closed
      summary="where the arm should be"
    >
      <Parameters path="reference" />
      {offered.map((info) => (
        <CommandForm key={info.word} info={info} />
      ))}
    </Section>
  );
}
