/** The start request that the operator edits. */

import { signal } from "@preact/signals";
import type { StartRequest } from "../generated";
import { ask } from "../core/link";
import { hello, notify } from "../core/store";

export type Start = Omit<Required<StartRequest>, "type" | "id">;

/** The operator's changes to the request that the server offers. */
const edits = signal<Partial<Start>>({});

export function asked(): Start {
  const proposed = hello.value?.defaults as Required<StartRequest> | undefined;
  const { type: _type, id: _id, ...rest } = proposed ?? ({} as Required<StartRequest>);
  return { ...rest, ...edits.value } as Start;
}

export function edit(change: Partial<Start>): void {
  edits.value = { ...edits.value, ...change };
}

export async function start(): Promise<boolean> {
  const reply = await ask({ type: "start", ...asked() });
  notify(reply.ok, reply.text);
  return reply.ok;
}
