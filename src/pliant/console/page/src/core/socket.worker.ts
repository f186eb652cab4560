/** The WebSocket, in a worker: a page that is busy drawing must not look as if its operator had left.
 *
 * While the page is in control, the worker pings by a timer and on every text from the server, as
 * browsers slow the timers of a hidden page. It pings only while the page itself is alive: a page
 * that hangs must not stay in control of an arm.
 */

export type ToSocket =
  | { kind: "connect"; url: string }
  | { kind: "close" }
  | { kind: "send"; text: string }
  | { kind: "alive"; inControl: boolean };

export type FromSocket =
  | { kind: "open" }
  | { kind: "close"; reason: string }
  | { kind: "text"; text: string }
  | { kind: "frame"; frame: ArrayBuffer };

/** A page hangs if it is silent for this long, ms. */
const HANGS = 1500;
/** Period of the pings, ms. */
const PERIOD = 80;
/** The connection is lost after this long without a message from the server, ms. */
const SILENCE = 5000;

let socket: WebSocket | null = null;
let inControl = false;
let aliveAt = 0;
let pingedAt = 0;
let heardAt = 0;

function report(message: FromSocket, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

function connect(url: string): void {
  const made = new WebSocket(url);
  made.binaryType = "arraybuffer";
  socket = made;
  heardAt = performance.now();
  made.onopen = () => report({ kind: "open" });
  made.onmessage = ({ data }) => receive(data as string | ArrayBuffer);
  made.onclose = ({ reason }) => {
    if (socket === made) report({ kind: "close", reason });
  };
}

function receive(data: string | ArrayBuffer): void {
  heardAt = performance.now();
  if (data instanceof ArrayBuffer) return report({ kind: "frame", frame: data }, [data]);
  ping();
  report({ kind: "text", text: data });
}

function ping(): void {
  const now = performance.now();
  if (!inControl || now - aliveAt > HANGS || now - pingedAt < PERIOD) return;
  pingedAt = now;
  send(JSON.stringify({ type: "ping", t: now }));
}

function send(text: string): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(text);
}

self.onmessage = ({ data }: MessageEvent<ToSocket>) => {
  if (data.kind === "connect") connect(data.url);
  else if (data.kind === "close") socket?.close();
  else if (data.kind === "send") send(data.text);
  else {
    inControl = data.inControl;
    aliveAt = performance.now();
    ping();
  }
};

setInterval(ping, PERIOD);

// a connection stays open without traffic, for example after a cable was pulled
setInterval(() => {
  if (socket?.readyState === WebSocket.OPEN && performance.now() - heardAt > SILENCE)
    socket.close();
}, 500);
