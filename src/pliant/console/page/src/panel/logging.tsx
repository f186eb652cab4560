/** Starts and stops recordings, and lists them. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RecordingFile, RecordRequest } from "../generated";
import { bytes, duration } from "../core/format";
import { ask } from "../core/link";
import { hello, running, status, notify } from "../core/store";
import { Section } from "../ui/section";
import { Segmented } from "../ui/segmented";

type Format = NonNullable<RecordRequest["format"]>;

const format = signal<Format>("csv");
const name = signal("");
const recordings = signal<RecordingFile[]>([]);
const shown = signal<string | null>(null);
const MOST_LISTED = 50;

async function refresh(): Promise<void> {
  const answer = await fetch(new URL("api/recordings", document.baseURI)).catch(() => null);
  if (answer?.ok) recordings.value = (await answer.json()) as RecordingFile[];
}

async function record(action: "start" | "stop"): Promise<void> {
  const reply = await ask({
    type: "record",
    action,
    name: name.value || null,
    format: format.value,
  });
  notify(reply.ok, reply.text);
  await refresh();
}

export function Logging() {
  const now = status.value?.recording ?? null;
  const able = running.value && (hello.value?.capabilities.record ?? false);
  useEffect(() => void refresh(), [now?.name, running.value]);
  return (
    <Section
      id="logging"
      title="Logging"
      closed
      summary={now ? <span class="recording">recording {duration(now.seconds)}</span> : "off"}
    >
      {running.value && !able && <p class="note">This program cannot be recorded from here.</p>}
      <div class="row">
        <Segmented
          label="Format"
          value={format.value}
          disabled={!able || !!now}
          options={[
            {
              value: "csv",
              label: "CSV",
              title: "Sensed and desired wrench, poses, joints, temperatures",
            },
            { value: "mcap", label: "MCAP", title: "Every column of every tick" },
          ]}
          onChange={(value) => (format.value = value)}
        />
        <input
          aria-label="File name"
          placeholder="named by date and time"
          value={name.value}
          disabled={!able || !!now}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button
          type="button"
          class={now ? "danger" : ""}
          disabled={!able}
          onClick={() => record(now ? "stop" : "start")}
        >
          {now ? "Stop recording" : "Record"}
        </button>
      </div>
      {now && (
        <p class="note num">
          {now.name} · {bytes(now.bytes)} · {duration(now.seconds)}
        </p>
      )}
      <Files />
    </Section>
  );
}

function Files() {
  if (recordings.value.length === 0) return <p class="note">No recordings yet.</p>;
  return (
    <ul class="files" data-testid="recordings">
      {recordings.value.slice(0, MOST_LISTED).map((file) => (
        <li key={file.name}>
          <div class="row">
            <span class="ellipsis grow" title={file.name}>
              {file.name}
            </span>
            <span class="unit num">{bytes(file.bytes)}</span>
            {hello.value?.capabilities.plot && file.name.endsWith(".mcap") && (
              <button
                type="button"
                class="small quiet"
                aria-expanded={shown.value === file.name}
                onClick={() => (shown.value = shown.value === file.name ? null : file.name)}
              >
                Plot
              </button>
            )}
            <a
              class="button small quiet"
              href={`api/recordings/${encodeURIComponent(file.name)}`}
              download={file.name}
            >
              Download
            </a>
          </div>
          {shown.value === file.name && (
            <a
              href={`api/recordings/${encodeURIComponent(file.name)}/plot.png`}
              target="_blank"
              rel="noreferrer"
              title="Full size, in a new tab"
            >
              <img
                src={`api/recordings/${encodeURIComponent(file.name)}/plot.png`}
                alt={`Plot of ${file.name}`}
                onError={() => notify(false, `${file.name} cannot be plotted`)}
              />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
