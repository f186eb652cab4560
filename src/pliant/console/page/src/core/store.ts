/** What the page knows beside the ticks: who it talks to, the configuration, events. */

import { computed, effect, signal } from "@preact/signals";
import type { Event, FromServer, Hello, Margins, Status } from "../generated";
import { words } from "./format";
import { ask, connect, line, linkState, live, send } from "./link";
import { forget, series, subscribe, takeFrame, takeSchema } from "./live";

const MOST_EVENTS = 200;

export interface LoggedEvent extends Event {
  at: Date;
}

export type Config = Record<string, unknown>;

export const hello = signal<Hello | null>(null);
export const status = signal<Status | null>(null);
export const config = signal<Config>({});
/** What each axis can touch with these gains; null while that is not known. */
export const margins = signal<Margins | null>(null);
export const events = signal<LoggedEvent[]>([]);

/** The last thing to tell the operator: an answer, a refusal, an event. */
export const message = signal<{ tone: "ok" | "bad" | "info"; text: string } | null>(null);

/** A warning stays at least this long before a change of control takes its place, ms. */
const WARNING = 5000;

let lostAt = 0;
let warnedAt = -Infinity;

export const running = computed(
  () => linkState.value === "open" && status.value?.phase === "running",
);
export const inControl = computed(() => !!hello.value && status.value?.holder === hello.value.you);
export const controlFree = computed(() => status.value?.holder === "");

/** Whether a command has a chance: we hold control, or nobody does and the first command takes it. */
export const mayCommand = computed(
  () =>
    running.value &&
    !hello.value?.capabilities.watch_only &&
    (inControl.value || controlFree.value),
);

export function has(word: string): boolean {
  return hello.value?.capabilities.words.includes(word) ?? false;
}

/** Give a line and tell the operator what came back. */
export async function command(text: string): Promise<{ ok: boolean; text: string }> {
  const reply = await line(text);
  tell(reply.ok, reply.text);
  return reply;
}

export function tell(ok: boolean, text: string): void {
  message.value = text ? { tone: ok ? "ok" : "bad", text: sentence(text) } : null;
}

/** STOP, from anyone, whatever else is going on. */
export function stop(): void {
  send({ type: "stop" });
}

export async function lease(
  action: "take" | "release" | "ask" | "give",
  to?: string,
): Promise<void> {
  const reply = await ask({ type: "lease", action, to: to ?? null });
  tell(reply.ok, reply.text);
}

export function begin(): void {
  connect({ message: take, frame: takeFrame, opened });
}

function opened(): void {
  if (lostAt) {
    const seconds = ((performance.now() - lostAt) / 1e3).toFixed(1);
    note({
      type: "event",
      kind: "lease",
      text: `connected again after ${seconds} s`,
      tick: null,
      about: "",
    });
  }
  lostAt = 0;
  subscribe();
}

effect(() => {
  if (linkState.value !== "lost" || lostAt) return;
  lostAt = performance.now();
  // without a connection nothing on the page is true any more
  forget();
});

function take(received: FromServer): void {
  switch (received.type) {
    case "hello":
      return greet(received);
    case "schema":
      return takeSchema(received);
    case "status":
      return follow(received);
    case "config":
      config.value = received.config;
      return;
    case "margins":
      margins.value = received;
      return;
    case "event":
      return note(received);
  }
}

function greet(received: Hello): void {
  const changed = hello.value?.arm.spec !== received.arm.spec;
  hello.value = received;
  config.value = received.config;
  margins.value = null;
  if (changed) series.clear();
}

function follow(received: Status): void {
  if (status.value?.controller !== received.controller) forget();
  status.value = received;
  // from here and not from a timer: the timers of a hidden page are slowed
  live(inControl.value);
}

function note(received: Event): void {
  events.value = [...events.value.slice(1 - MOST_EVENTS), { ...received, at: new Date() }];
  const bad = received.kind === "warning" || received.kind === "error";
  if (!bad && received.kind !== "lease") return;
  // the bar says so, and the answer to the command that took control is worth more
  if (received.text === `${hello.value?.you} is in control`) return;
  // who is in control now is no reason to hide why
  if (!bad && received.tick !== null && performance.now() - warnedAt < WARNING) return;
  if (bad) warnedAt = performance.now();
  message.value = { tone: bad ? "bad" : "info", text: sentence(received.text) };
}

/** With a capital, unless it begins with a name such as sim:ur5e; a command's name in words;
 * rounding errors are zeros. */
function sentence(given: string): string {
  const text = given
    .replace(/^[a-z]+(_[a-z]+)+(?=, joint)/, words)
    .replace(/-?\d(\.\d+)?e-(1\d|[2-9]\d)\b/g, "0");
  return /^[a-z]+\s/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
