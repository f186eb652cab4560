/** The state of the page besides the ticks: status, configuration, events. */

import { computed, effect, signal } from "@preact/signals";
import type { Event, FromServer, Hello, Margins, Reply, Status } from "../generated";
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
/** The contact margins of each axis; null while they are not known. */
export const margins = signal<Margins | null>(null);
export const events = signal<LoggedEvent[]>([]);

interface Shown {
  tone: "ok" | "bad" | "info";
  text: string;
  /** The id of the viewer who asks for control; undefined if none does. */
  askedBy?: string;
}

/** The last message to the operator: a reply, a refusal, or an event. */
export const message = signal<Shown | null>(null);

/** A warning stays at least this long before a change of control replaces it, ms. */
const WARNING = 5000;

let lostAt = 0;
let stopIsDue = false;
let warnedAt = -Infinity;

export const running = computed(
  () => linkState.value === "open" && status.value?.phase === "running",
);
export const inControl = computed(
  () => !!hello.value && status.value?.holder_id === hello.value.id,
);
export const controlFree = computed(() => status.value?.holder === "");

/** Whether this viewer is in control, or can be: the first command takes control if it is free. */
export const mayCommand = computed(
  () =>
    running.value &&
    !hello.value?.capabilities.watch_only &&
    (inControl.value || controlFree.value),
);

export function has(word: string): boolean {
  return hello.value?.capabilities.words.includes(word) ?? false;
}

/** Send a line, and show the reply to the operator. */
export async function command(text: string): Promise<Reply> {
  const reply = await line(text);
  notify(reply.ok, reply.text);
  return reply;
}

export function notify(ok: boolean, text: string): void {
  message.value = text ? { tone: ok ? "ok" : "bad", text: sentence(text) } : null;
}

/** Stop the arm; every viewer may, at any time. Without a connection it is sent with the next. */
export function stop(): void {
  stopIsDue = !send({ type: "stop" });
  if (stopIsDue) notify(false, "no connection: STOP is sent as soon as there is one");
}

export async function lease(
  action: "take" | "release" | "ask" | "give",
  to?: string,
): Promise<void> {
  const reply = await ask({ type: "lease", action, to: to ?? null });
  notify(reply.ok, reply.text);
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
      asked_by: "",
    });
  }
  lostAt = 0;
  // the server has made a new identity for this connection
  if (hello.value) send({ type: "resume", secret: hello.value.secret });
  subscribe();
  if (stopIsDue) stop();
}

effect(() => {
  if (linkState.value !== "lost" || lostAt) return;
  lostAt = performance.now();
  // without a connection all values on the page are outdated
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
  // not from a timer: browsers slow the timers of a hidden page
  live(inControl.value);
}

function note(received: Event): void {
  events.value = [...events.value.slice(1 - MOST_EVENTS), { ...received, at: new Date() }];
  const bad = received.kind === "warning" || received.kind === "error";
  if (!bad && received.kind !== "lease") return;
  // an event from the controller, with a tick, reports a new holder: the bar shows it as well
  const newHolder = received.kind === "lease" && received.tick !== null;
  // the reply to the command that took control is more useful
  if (newHolder && received.about === hello.value?.id) return;
  // the warning says why control has changed
  if (newHolder && performance.now() - warnedAt < WARNING) return;
  if (bad) warnedAt = performance.now();
  message.value = {
    tone: bad ? "bad" : "info",
    text: sentence(received.text),
    askedBy: received.asked_by || undefined,
  };
}

/** A text as a sentence: it begins with a capital unless with a name such as sim:ur5e, has the name
 * of a command in words, and zeros instead of rounding errors. */
function sentence(given: string): string {
  const text = given
    .replace(/^[a-z]+(_[a-z]+)+(?=, joint)/, words)
    .replace(/-?\d(\.\d+)?e-(1\d|[2-9]\d)\b/g, "0");
  return /^[a-z]+\s/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
