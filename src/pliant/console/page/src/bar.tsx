/** The bar at the top: state and reason, rate and lateness, who is in control, STOP. */

import { useEffect } from "preact/hooks";
import { fixed, milliseconds } from "./core/format";
import { linkNote, linkState } from "./core/link";
import { hello, inControl, lease, running, status, stop } from "./core/store";
import { theme, toggleTheme } from "./core/theme";
import { openTour } from "./tour/tour";

type Tone = "" | "ok" | "warn" | "bad" | "accent";

const LATE = 0.002;

export function Bar() {
  useStopKey();
  return (
    <header class="bar">
      <div class="brand">
        <Mark />
        Pliant
      </div>
      <Verdict />
      <Gauges />
      <div class="row">
        <button type="button" class="quiet" onClick={openTour}>
          Tour
        </button>
        <button
          type="button"
          class="quiet"
          onClick={toggleTheme}
          aria-label={theme.value === "dark" ? "Use light colours" : "Use dark colours"}
          title={theme.value === "dark" ? "Light" : "Dark"}
        >
          {theme.value === "dark" ? "☀" : "☾"}
        </button>
        <button
          type="button"
          class="stop"
          onClick={stop}
          title="Stop the arm; Escape does the same"
        >
          STOP <kbd>Esc</kbd>
        </button>
      </div>
    </header>
  );
}

function useStopKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape") stop();
    };
    // in the capture phase, so that no element of the page can stop the event
    window.addEventListener("keydown", pressed, true);
    return () => window.removeEventListener("keydown", pressed, true);
  }, []);
}

function Verdict() {
  const { tone, name, why } = verdict();
  return (
    <div class="verdict" role="status" aria-live="polite">
      <span class={`pill ${tone}`} data-testid="state">
        {name}
      </span>
      <span class={`why ellipsis ${tone === "bad" ? "bad" : ""}`} data-testid="why" title={why}>
        {why}
      </span>
    </div>
  );
}

function verdict(): { tone: Tone; name: string; why: string } {
  const now = status.value;
  if (linkState.value !== "open") {
    const name = { connecting: "Connecting", lost: "No server", refused: "Refused", open: "" };
    return { tone: "bad", name: name[linkState.value], why: linkNote.value };
  }
  if (!now || now.phase === "idle") return { tone: "", name: "Not started", why: now?.why ?? "" };
  if (now.phase === "starting") return { tone: "accent", name: "Starting", why: now.why };
  if (now.phase === "lost") return { tone: "bad", name: "Fault", why: now.why };
  if (now.phase === "ended") return { tone: "", name: "Stopped", why: now.why };
  const law = now.law ? `${now.law.replaceAll("_", " ")}` : "no law";
  if (now.fault) return { tone: "bad", name: "Fault", why: now.fault };
  if (now.kind === "binary") return { tone: "ok", name: "Running", why: now.controller };
  if (!now.ready) return { tone: "warn", name: "Not ready", why: now.why };
  if (now.state === "STOPPING") return { tone: "warn", name: "Stopping", why: law };
  if (now.state === "ACTIVE") return { tone: "ok", name: "Active", why: law };
  return { tone: "accent", name: "Holding", why: law };
}

function Gauges() {
  const now = running.value ? status.value : null;
  const late = (now?.lateness_p99 ?? 0) > LATE;
  return (
    <div class="gauges">
      <Gauge name="Rate" reading={now ? `${fixed(now.rate, 0)} Hz` : "–"} />
      <Gauge
        name="Late p50 / p99"
        tone={late ? "warn" : ""}
        reading={
          now ? `${milliseconds(now.lateness_p50)} / ${milliseconds(now.lateness_p99)} ms` : "–"
        }
      />
      <Gauge
        name="Dropped"
        tone={now?.dropped ? "warn" : ""}
        reading={now ? `${now.dropped}` : "–"}
      />
      <Holder />
    </div>
  );
}

function Gauge({ name, reading, tone = "" }: { name: string; reading: string; tone?: Tone }) {
  return (
    <div class={`gauge ${tone}`}>
      <span class="name">{name}</span>
      <span class="reading">{reading}</span>
    </div>
  );
}

/** Who is in control, and a button to take, ask for, or release control. */
function Holder() {
  const now = status.value;
  const holder = now?.holder ?? "";
  const mine = inControl.value;
  const idle = (now?.holder_idle ?? 0) > (hello.value?.lease_timeout ?? Infinity);
  const act = mine ? "release" : holder === "" || idle ? "take" : "ask";
  const title = {
    release: "Release control",
    take: "Take control",
    ask: `Ask ${holder} for control`,
  }[act];
  return (
    <button
      type="button"
      class="quiet gauge"
      title={title}
      disabled={!running.value}
      onClick={() => lease(act)}
      data-testid="holder"
    >
      <span class="name">In control</span>
      <span class="reading">{mine ? "you" : holder || "nobody"}</span>
    </button>
  );
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path
        d="M7 23c5 0 4-14 9-14s4 14 9 14"
        fill="none"
        stroke="var(--surface)"
        stroke-width="3"
        stroke-linecap="round"
      />
    </svg>
  );
}
