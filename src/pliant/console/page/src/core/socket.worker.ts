/** The WebSocket, on a thread of its own: a page busy drawing must not look like an operator gone.
 *
 * While the page is in control it pings, by a timer and, as timers of a hidden page are slowed, on
 * every text from the server; but only as long as the page itself shows signs of life: an arm is not
 * left in the hands of a page that hangs.
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

/** A page silent for this long hangs, ms. */
const HANGS = 1500;
/** Between two pings, ms. */
const PERIOD = 80;
/** Without anything from the server for this long, ms, the connection counts as lost. */
const SILENCE = 5000;

let socket: WebSocket | null = null;
let inControl = false;
let aliveAt = 0;
let pingedAt = 0;
let heardAt = 0;

function tell(message: FromSocket, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

function connect(url: string): void {
  const made = new WebSocket(url);
  made.binaryType = "arraybuffer";
  socket = made;
  heardAt = performance.now();
  made.onopen = () => tell({ kind: "open" });
  made.onmessage = ({ data }) => hear(data as string | ArrayBuffer);
  made.onclose = ({ reason }) => {
    if (socket === made) tell({ kind: "close", reason });
  };
}

function hear(data: string | ArrayBuffer): void {
  heardAt = performance.now();
  if (data instanceof ArrayBuffer) return tell({ kind: "frame", frame: data }, [data]);
  ping();
  tell({ kind: "text", text: data });
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

// a connection can be silent though open, as after a cable was pulled
setInterval(() => {
  if (socket?.readyState === WebSocket.OPEN && performance.now() - heardAt > SILENCE)
    socket.close();
}, 500);
