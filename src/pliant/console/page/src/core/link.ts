/** The connection to the server; it is opened again whenever it is lost. */

import { signal } from "@preact/signals";
import type {
  AttachRequest,
  FromPage,
  FromServer,
  LeaseRequest,
  RecordRequest,
  Reply,
  SendLine,
  SequenceRequest,
  StartRequest,
} from "../generated";
import type { FromSocket, ToSocket } from "./socket.worker";

export type LinkState = "connecting" | "open" | "lost" | "refused";

const FIRST_RETRY = 300;
const LAST_RETRY = 3000;

export const linkState = signal<LinkState>("connecting");
export const linkNote = signal("");

type Answered =
  SendLine | LeaseRequest | StartRequest | AttachRequest | RecordRequest | SequenceRequest;
type WithoutId<T> = T extends Answered ? Omit<T, "id"> : never;

interface Handlers {
  message: (message: FromServer) => void;
  frame: (frame: ArrayBuffer) => void;
  opened: () => void;
}

const worker = new Worker(new URL("./socket.worker.ts", import.meta.url), { type: "module" });
const waiting = new Map<number, (reply: Reply) => void>();
let retry = FIRST_RETRY;
let nextId = 1;

/** Connect, and connect again whenever the connection is lost. */
export function connect(handlers: Handlers): void {
  worker.onmessage = ({ data }: MessageEvent<FromSocket>) => {
    if (data.kind === "frame") handlers.frame(data.frame);
    else if (data.kind === "text") dispatch(JSON.parse(data.text) as FromServer, handlers);
    else if (data.kind === "open") opened(handlers);
    else lost(data.reason);
  };
  open();
}

/** Tell the worker that the page is alive, and whether it is in control. */
export function live(inControl: boolean): void {
  post({ kind: "alive", inControl });
}

export function send(message: FromPage): boolean {
  if (linkState.value !== "open") return false;
  post({ kind: "send", text: JSON.stringify(message) });
  return true;
}

/** Send a request and wait for the reply; without a connection it is refused at once. */
export function ask(request: WithoutId<Answered>): Promise<Reply> {
  const id = nextId++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (!send({ ...request, id } as FromPage)) settle(refusal(id));
  });
}

/** Send one line of the line protocol. */
export function line(text: string): Promise<Reply> {
  return ask({ type: "line", text });
}

function post(message: ToSocket): void {
  worker.postMessage(message);
}

function open(): void {
  const url = new URL("ws", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  post({ kind: "connect", url: url.href });
}

function opened(handlers: Handlers): void {
  retry = FIRST_RETRY;
  linkState.value = "open";
  linkNote.value = "";
  handlers.opened();
}

function dispatch(message: FromServer, handlers: Handlers): void {
  if (message.type === "reply") settle(message);
  handlers.message(message);
}

function settle(reply: Reply): void {
  const resolve = waiting.get(reply.id);
  waiting.delete(reply.id);
  resolve?.(reply);
}

function refusal(id: number): Reply {
  const text = "no connection to the console's server";
  return { type: "reply", id, ok: false, text, value: null };
}

function lost(reason: string): void {
  linkState.value = "lost";
  linkNote.value = reason || "the console's server does not answer; trying again";
  for (const id of [...waiting.keys()]) settle(refusal(id));
  void explain();
  setTimeout(open, retry);
  retry = Math.min(LAST_RETRY, retry * 1.6);
}

/** Find out why the WebSocket was refused: a browser reports it for plain requests only. */
async function explain(): Promise<void> {
  const answer = await fetch(new URL("api/status", document.baseURI)).catch(() => null);
  if (linkState.value === "open" || (answer?.status !== 401 && answer?.status !== 403)) return;
  linkState.value = "refused";
  linkNote.value = (await answer.text()).trim();
}
