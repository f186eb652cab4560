/** Selects, starts and stops the arm. */

import { SIM_PREFIX, type Status } from "../generated";
import { capital } from "../core/format";
import { ask } from "../core/link";
import { hello, inControl, lease, running, status, stop, notify } from "../core/store";
import { Section } from "../ui/section";
import { asked, edit, start, type Start } from "./start";

export function Connection() {
  const now = status.value;
  const fields = asked();
  const busy = running.value || now?.phase === "starting";
  const simulated = fields.robot?.startsWith(SIM_PREFIX) ?? true;
  return (
    <Section
      id="connection"
      title="Connection"
      summary={
        busy
          ? [hello.value?.arm.spec, now?.controller].filter(Boolean).join(" · ")
          : "no controller"
      }
    >
      <label class="field two">
        <span class="name">Arm</span>
        <select
          aria-label="Arm"
          value={fields.robot}
          disabled={busy}
          onChange={(event) => edit({ robot: event.currentTarget.value })}
        >
          {robots(fields.robot).map((robot) => (
            <option key={robot}>{robot}</option>
          ))}
        </select>
      </label>
      {!simulated && (
        <label class="field two">
          <span class="name">Address</span>
          <input
            aria-label="Address"
            value={fields.address}
            disabled={busy}
            onInput={(event) => edit({ address: event.currentTarget.value })}
          />
        </label>
      )}
      <Binary fields={fields} busy={busy} />
      <div class="row">
        <button type="button" class="primary" disabled={busy || !now} onClick={start}>
          Start
        </button>
        <button type="button" disabled={!busy} onClick={stop}>
          Stop
        </button>
        {running.value && (
          <button
            type="button"
            class="push quiet"
            onClick={() => lease(inControl.value ? "release" : "take")}
          >
            {inControl.value ? "Release control" : "Take control"}
          </button>
        )}
      </div>
      {!busy && <Attach names={now?.controllers ?? []} />}
      {now?.why && (
        <p class={whyClass(now)} data-testid="not-ready">
          {capital(now.why)}
        </p>
      )}
    </Section>
  );
}

/** An arm that was stopped, or not started, is not an error. */
function whyClass(now: Status): string {
  if (now.phase === "lost" || now.fault) return "banner bad";
  return now.phase === "running" ? "banner" : "note";
}

function robots(current: string | undefined): string[] {
  const offered = hello.value?.robots ?? [];
  return current && !offered.includes(current) ? [current, ...offered] : offered;
}

/** Selects another program that speaks the line protocol; the server lists them. */
function Binary({ fields, busy }: { fields: Start; busy: boolean }) {
  const offered = hello.value?.binaries ?? [];
  if (offered.length === 0) return null;
  return (
    <>
      <label class="field two">
        <span class="name">Program</span>
        <select
          aria-label="Program"
          value={fields.binary}
          disabled={busy}
          onChange={(event) => edit({ binary: event.currentTarget.value })}
        >
          <option value="">Pliant</option>
          {offered.map((binary) => (
            <option key={binary}>{binary}</option>
          ))}
        </select>
      </label>
      {fields.binary && (
        <label class="field two">
          <span class="name">Its wrench</span>
          <select
            aria-label="Wrench sign"
            value={fields.wrench_sign}
            disabled={busy}
            onChange={(event) =>
              edit({ wrench_sign: event.currentTarget.value as Start["wrench_sign"] })
            }
          >
            <option value="on_tool">acts on the tool</option>
            <option value="by_tool">is exerted by the tool</option>
          </select>
        </label>
      )}
    </>
  );
}

function Attach({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const attach = async (name: string) => {
    const reply = await ask({ type: "attach", name });
    notify(reply.ok, reply.text);
  };
  return (
    <div class="row wrap">
      <span class="note">Running already:</span>
      {names.map((name) => (
        <button key={name} type="button" class="small" onClick={() => attach(name)}>
          Attach {name}
        </button>
      ))}
    </div>
  );
}
