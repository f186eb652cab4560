/** The sequence of joint positions that the operator edits; the server runs it. */

import { computed, signal } from "@preact/signals";
import type { SequenceFile, SequenceRequest, SequenceStep } from "../generated";
import { ask } from "../core/link";
import { hello, status, notify } from "../core/store";

export type How = NonNullable<SequenceRequest["how"]>;

export const steps = signal<SequenceStep[]>([]);

/** Number of the step under way, -1 while none of this viewer's sequences runs. */
export const at = computed(() => {
  const running = status.value?.sequence;
  return running && running.viewer === hello.value?.id ? running.step : -1;
});

export async function runSequence(how: How): Promise<void> {
  const reply = await ask({ type: "sequence", action: "start", steps: steps.value, how });
  if (!reply.ok) notify(false, reply.text);
}

export async function stopSequence(): Promise<void> {
  const reply = await ask({ type: "sequence", action: "stop" });
  if (!reply.ok) notify(false, reply.text);
}

/** The first sequence of a YAML file.

Throws an Error that says what is wrong with the file. */
export async function readSequence(file: File): Promise<SequenceFile> {
  const answer = await post("api/sequence/read", await file.text());
  return (await answer.json()) as SequenceFile;
}

/** A YAML file with one sequence. */
export async function writeSequence(written: readonly SequenceStep[]): Promise<Blob> {
  const answer = await post("api/sequence/write", JSON.stringify(written), "application/json");
  return answer.blob();
}

async function post(path: string, body: string, type = "text/yaml"): Promise<Response> {
  const headers = { "Content-Type": type };
  const answer = await fetch(new URL(path, document.baseURI), { method: "POST", headers, body });
  if (answer.ok) return answer;
  throw new Error(await reason(answer));
}

/** Why a request was refused: the server's own words, where it gives them. */
async function reason(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { detail } = JSON.parse(text) as { detail: unknown };
    return typeof detail === "string" ? detail : JSON.stringify(detail);
  } catch {
    return text.trim();
  }
}
