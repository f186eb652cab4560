/** Which arm, and starting and stopping it. */

import { signal } from "@preact/signals";
import type { StartRequest, Status } from "../generated";
import { capital } from "../core/format";
import { ask } from "../core/link";
import { hello, inControl, lease, running, status, stop, tell } from "../core/store";
import { Section } from "../ui/section";
import { Value } from "../ui/value";

type Start = Omit<Required<StartRequest>, "type" | "id">;

/** What Start will ask for; as the server proposes until edited. */
export const edits = signal<Partial<Start>>({});

function asked(): Start {
  const proposed = hello.value?.defaults as Required<StartRequest> | undefined;
  const { type: _type, id: _id, ...rest } = proposed ?? ({} as Required<StartRequest>);
  return { ...rest, ...edits.value } as Start;
}

function edit(change: Partial<Start>): void {
  edits.value = { ...edits.value, ...change };
}

export async function start(): Promise<boolean> {
  const reply = await ask({ type: "start", ...asked() });
  tell(reply.ok, reply.text);
  return reply.ok;
}

export function Connection() {
  const now = status.value;
  const fields = asked();
  const busy = running.value || now?.phase === "starting";
  const simulated = fields.robot?.startsWith("sim:") ?? true;
  return (
    <Section
      id="connection"
      title="Connection"
      summary={busy ? `${hello.value?.arm.spec ?? ""} · ${now?.controller ?? ""}` : "no controller"}
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

/** An arm that was stopped, or never started, is no reason for alarm. */
function whyClass(now: Status): string {
  if (now.phase === "lost" || now.fault) return "banner bad";
  return now.phase === "running" ? "banner" : "note";
}

function robots(current: string | undefined): string[] {
  const offered = hello.value?.robots ?? [];
  return current && !offered.includes(current) ? [current, ...offered] : offered;
}

/** Another program that speaks the protocol; only those that the server was told of. */
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
            onChange={(event) => edit({ wrench_sign: event.currentTarget.value as Start["wrench_sign"] })}
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
    tell(reply.ok, reply.text);
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

/** How the next start runs. */
export function RunParameters() {
  const fields = asked();
  const rate = fields.rate ?? NaN;
  const duration = fields.duration ?? 0;
  const running_ = running.value || status.value?.phase === "starting";
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
          disabled={running_}
          onInput={(event) => edit({ address: event.currentTarget.value })}
        />
        <span class="unit" />
      </label>
      <div class="field">
        <span class="name">Duration</span>
        <Value
          label="Duration"
          value={duration}
          disabled={running_}
          onCommit={(value) => edit({ duration: Math.max(0, value) })}
        />
        <span class="unit">s</span>
      </div>
      <div class="field">
        <span class="name">Rate</span>
        <Value
          label="Rate"
          value={rate}
          disabled={running_}
          onCommit={(value) => edit({ rate: value > 0 ? value : null })}
        />
        <span class="unit">Hz</span>
      </div>
      <p class="note">For the next start. A duration of 0 runs until Stop; without a rate the arm has its own.</p>
    </Section>
  );
}
