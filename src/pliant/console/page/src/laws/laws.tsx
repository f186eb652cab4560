/** Selects the law, and has its parameters and references. */

import { signal } from "@preact/signals";
import { title, words } from "../core/format";
import { nodeAt } from "../core/schema";
import { command, has, hello, mayCommand, running, status } from "../core/store";
import { Presets } from "../panel/advanced";
import { CommandForm } from "../ui/command-form";
import { Parameters } from "../ui/parameter";
import { Section } from "../ui/section";

/** The commands of the tool that have controls on the Control tab. */
const ON_CONTROL_TAB = ["SET_WRENCH", "SET_AXES", "MOVE_BY", "MOVE_TO", "HOLD", "PUSH"];

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
              ? "This program has no laws to choose from."
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
    ({ word, subject }) =>
      has(word) &&
      (subject === "reference" || (subject === "tool" && !ON_CONTROL_TAB.includes(word))),
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
