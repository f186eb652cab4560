/** The last reply or event in one line, and the log of all events. */

import { signal } from "@preact/signals";
import { events, inControl, lease, message } from "./core/store";

const showLog = signal(false);

export function MessageLine() {
  const now = message.value;
  const asking = inControl.value ? now?.askedBy : undefined;
  return (
    <>
      {showLog.value && <Log />}
      <div class={`toast ${now?.tone ?? ""}`} role="status">
        <span class="grow" data-testid="message" title={now?.text}>
          {now?.text ?? ""}
        </span>
        {asking && (
          <button type="button" class="small primary" onClick={() => lease("give", asking)}>
            Hand over
          </button>
        )}
        <button
          type="button"
          class="small quiet"
          aria-expanded={showLog.value}
          onClick={() => (showLog.value = !showLog.value)}
        >
          Log
        </button>
      </div>
    </>
  );
}

function Log() {
  return (
    <ol class="log" aria-label="Events">
      {[...events.value].reverse().map((event, i) => (
        <li key={events.value.length - i} class={event.kind}>
          <time class="num faint">{event.at.toLocaleTimeString([], { hour12: false })}</time>
          <span>{event.text}</span>
        </li>
      ))}
      {events.value.length === 0 && <li class="faint">Nothing has happened yet.</li>}
    </ol>
  );
}
