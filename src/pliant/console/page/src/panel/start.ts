/** What Start will ask for. */

import { signal } from "@preact/signals";
import type { StartRequest } from "../generated";
import { ask } from "../core/link";
import { hello, tell } from "../core/store";

export type Start = Omit<Required<StartRequest>, "type" | "id">;

/** What Start will ask for; as the server proposes until edited. */
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
  tell(reply.ok, reply.text);
  return reply.ok;
}
