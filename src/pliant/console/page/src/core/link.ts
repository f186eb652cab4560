/** The connection to the server: it comes back by itself, and says what happened. */

import { signal } from "@preact/signals";
import type {
  AttachRequest,
  FromPage,
  FromServer,
  LeaseRequest,
  RecordRequest,
  Reply,
  SendLine,
  StartRequest,
} from "../generated";

export type LinkState = "connecting" | "open" | "lost" | "refused";

/** Without anything from the server for this long, ms, the connection counts as lost. */
const SILENCE = 3000;
const FIRST_RETRY = 300;
const LAST_RETRY = 3000;
export const linkState = signal<LinkState>("connecting");
export const linkNote = signal("");

type Waiting = (reply: Reply) => void;
type Answered = SendLine | LeaseRequest | StartRequest | AttachRequest | RecordRequest;
type WithoutId<T> = T extends Answered ? Omit<T, "id"> : never;

let socket: WebSocket | null = null;
let retry = FIRST_RETRY;
let lastHeard = 0;
let nextId = 1;
const waiting = new Map<number, Waiting>();

interface Handlers {
  message: (message: FromServer) => void;
  frame: (frame: ArrayBuffer) => void;
  opened: () => void;
}

/** Connect, and go on connecting whenever the connection is lost. */
export function connect(handlers: Handlers): void {
  const url = new URL("ws", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  url.search = location.search;
  const opened = new WebSocket(url);
  opened.binaryType = "arraybuffer";
  socket = opened;
  lastHeard = performance.now();
  opened.onopen = () => {
    retry = FIRST_RETRY;
    linkState.value = "open";
    linkNote.value = "";
    handlers.opened();
  };
  opened.onmessage = ({ data }) => {
    lastHeard = performance.now();
    if (data instanceof ArrayBuffer) handlers.frame(data);
    else dispatch(JSON.parse(data as string) as FromServer, handlers);
  };
  opened.onclose = (event) => {
    if (socket === opened) lose(event, handlers);
  };
}

/** Notice a connection that is silent though open, as after a cable was pulled. */
export function watchSilence(): void {
  setInterval(() => {
    if (linkState.value === "open" && performance.now() - lastHeard > SILENCE) socket?.close();
  }, 500);
}

export function send(message: FromPage): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Send a request and wait for its reply; without a connection it is refused at once. */
export function ask(request: WithoutId<Answered>): Promise<Reply> {
  const id = nextId++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    if (!send({ ...request, id } as FromPage)) settle(refusal(id));
  });
}

/** Give one line of the protocol. */
export function line(text: string): Promise<Reply> {
  return ask({ type: "line", text });
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
  return { type: "reply", id, ok: false, text: "no connection to the console's server" };
}

function lose(event: CloseEvent, handlers: Handlers): void {
  socket = null;
  for (const id of [...waiting.keys()]) settle(refusal(id));
  linkState.value = "lost";
  linkNote.value = event.reason || "the console's server does not answer; trying again";
  void explain();
  setTimeout(() => connect(handlers), retry);
  retry = Math.min(LAST_RETRY, retry * 1.6);
}

/** A browser does not tell why a WebSocket was refused; a plain request does. */
async function explain(): Promise<void> {
  const answer = await fetch(new URL("api/status", document.baseURI)).catch(() => null);
  if (linkState.value === "open" || (answer?.status !== 401 && answer?.status !== 403)) return;
  linkState.value = "refused";
  linkNote.value = (await answer.text()).trim();
}
