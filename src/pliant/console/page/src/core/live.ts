/** The ticks: the newest one, the recent ones, and statistics of the stream. */

import { signal } from "@preact/signals";
import type { Schema } from "../generated";
import { Decoder, type Batch } from "./decode";
import { send } from "./link";
import { Series } from "./series";

/** Period of the readings in text, ms; plots and the 3D view draw with every frame. */
const PULSE = 90;

const ALWAYS = [
  "k",
  "time",
  "state",
  "reason_text",
  "law",
  "verdict",
  "zero_left",
  "zeroed",
  "lateness",
  "q",
  "temperature",
  "X_WT",
  "X_WR",
  "X_WR_target",
  "ref_done",
  "w_T",
  "w_desired_T",
  "w_target",
  "w_target_frame",
  "Tr",
  "n_af",
  "clipped",
];

/** Changes with every pulse; a component that reads it is rendered again. */
export const pulse = signal(0);

export const series = new Series({ w_T: 6, w_desired_T: 6, X_WT: 3 });

/** Statistics of the stream, for `pliant bench --console` and the tests. */
export const stats = { ticks: 0, gaps: 0, missed: 0, frames: 0, lastK: -1 };
declare global {
  interface Window {
    pliantStats: typeof stats;
  }
}
window.pliantStats = stats;

let decoder: Decoder | null = null;
let batch: Batch | null = null;
let pulsed = 0;
const wanted = new Map<string, number>();

/** The newest values of a column; empty if there are none. */
export function latest(name: string): Float64Array {
  return batch ? batch.row(name, batch.count - 1) : new Float64Array(0);
}

/** The newest value of a scalar column. */
export function latestNumber(name: string): number {
  return latest(name)[0] ?? NaN;
}

export function latestText(name: string): string {
  return batch ? batch.text(name, batch.count - 1) : "";
}

/** The newest values of a column, for a component that is rendered with every pulse. */
export function useColumn(name: string): Float64Array {
  pulse.value;
  return latest(name);
}

/** Subscribe to columns; returns a function that ends it. */
export function want(columns: readonly string[]): () => void {
  for (const name of columns) wanted.set(name, (wanted.get(name) ?? 0) + 1);
  subscribe();
  return () => {
    for (const name of columns) wanted.set(name, wanted.get(name)! - 1);
    subscribe();
  };
}

export function subscribe(): void {
  const extra = [...wanted].filter(([, count]) => count > 0).map(([name]) => name);
  send({ type: "subscribe", columns: [...new Set([...ALWAYS, ...extra])], every: 1 });
}

export function takeSchema(schema: Schema): void {
  decoder = new Decoder(schema);
}

/** Forget the ticks of another controller. */
export function forget(): void {
  batch = null;
  stats.lastK = -1;
  pulse.value++;
}

export function takeFrame(frame: ArrayBuffer): void {
  const taken = decoder?.decode(frame);
  if (!taken || taken.count === 0) return;
  count(taken);
  batch = taken;
  series.add(taken);
  const now = performance.now();
  if (now - pulsed > PULSE) {
    pulsed = now;
    pulse.value++;
  }
}

function count(taken: Batch): void {
  if (stats.lastK >= 0 && taken.firstK > stats.lastK + taken.every) {
    stats.gaps += (taken.firstK - stats.lastK) / taken.every - 1;
  }
  stats.ticks += taken.count;
  stats.missed += taken.missed;
  stats.lastK = taken.firstK + (taken.count - 1) * taken.every;
}
