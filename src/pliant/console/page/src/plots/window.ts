/** What the plots show: the time span, and the samples in it. */

import { signal } from "@preact/signals";
import { WRENCH_AXES } from "../generated";
import { series } from "../core/live";

export type Layout = "magnitudes" | "axes";

export const layout = signal<Layout>("magnitudes");
export const seconds = signal(10);
/** The fixed time span while paused or zoomed in; null follows the arm. */
export const frozen = signal<{ from: number; to: number } | null>(null);

export interface Trace {
  title: string;
  unit: string;
  /** Smallest range of the scale, so that noise does not fill the plot. */
  least: number;
  sensed: (sample: number) => number;
  desired: (sample: number) => number;
}

export const TRACES: Record<Layout, readonly Trace[]> = {
  magnitudes: [magnitude("Force", "N", 0, 2), magnitude("Torque", "N·m", 3, 0.2)],
  axes: WRENCH_AXES.map((title, axis) => ({
    title,
    unit: axis < 3 ? "N" : "N·m",
    least: axis < 3 ? 2 : 0.2,
    sensed: (sample) => series.at("w_T", axis, sample),
    desired: (sample) => series.at("w_desired_T", axis, sample),
  })),
};

/** The time span shown now. */
export function shown(): { from: number; to: number } {
  if (frozen.value) return frozen.value;
  const to = series.taken ? series.timeAt(series.taken - 1) : 0;
  return { from: to - seconds.value, to };
}

export function pause(): void {
  frozen.value = frozen.value ? null : shown();
}

/** Two points for each bucket of samples: the smallest and the largest value, in their order. */
export function thinned(
  from: number,
  to: number,
  pixels: number,
  traces: readonly Trace[],
): { times: Float64Array[]; values: Float64Array[][] } {
  const first = Math.max(series.first, series.find(from) - 1);
  const last = Math.min(series.taken, series.find(to) + 1);
  const stride = Math.max(1, 2 ** Math.ceil(Math.log2((last - first) / Math.max(1, pixels))));
  return {
    times: traces.map(() => bucketTimes(first, last, stride)),
    values: traces.map((trace) => [
      extremes(first, last, stride, trace.sensed),
      extremes(first, last, stride, trace.desired),
    ]),
  };
}

function bucketTimes(first: number, last: number, stride: number): Float64Array {
  const { start, count } = buckets(first, last, stride);
  const times = new Float64Array(2 * count);
  for (let b = 0; b < count; b++) {
    const low = Math.max(first, start + b * stride);
    const high = Math.min(last, start + (b + 1) * stride) - 1;
    times[2 * b] = series.timeAt(low);
    times[2 * b + 1] = series.timeAt(high);
  }
  return times;
}

function extremes(
  first: number,
  last: number,
  stride: number,
  of: (sample: number) => number,
): Float64Array {
  const { start, count } = buckets(first, last, stride);
  const values = new Float64Array(2 * count);
  for (let b = 0; b < count; b++) {
    let lowest = Infinity;
    let highest = -Infinity;
    let lowFirst = true;
    const end = Math.min(last, start + (b + 1) * stride);
    for (let s = Math.max(first, start + b * stride); s < end; s++) {
      const value = of(s);
      if (value < lowest) [lowest, lowFirst] = [value, false];
      if (value > highest) [highest, lowFirst] = [value, true];
    }
    values[2 * b] = lowFirst ? lowest : highest;
    values[2 * b + 1] = lowFirst ? highest : lowest;
  }
  return values;
}

/** Buckets begin at multiples of the stride, so that the points stay the same as time moves on. */
function buckets(first: number, last: number, stride: number): { start: number; count: number } {
  const start = Math.floor(first / stride) * stride;
  return { start, count: Math.max(0, Math.ceil((last - start) / stride)) };
}

function magnitude(title: string, unit: string, first: number, least: number): Trace {
  const norm = (name: string) => (sample: number) =>
    Math.hypot(
      series.at(name, first, sample),
      series.at(name, first + 1, sample),
      series.at(name, first + 2, sample),
    );
  return { title, unit, least, sensed: norm("w_T"), desired: norm("w_desired_T") };
}
