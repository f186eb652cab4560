/** Ring buffers with the recent values of some columns, for plots and trails. */

import type { Batch } from "./decode";

/** Enough for two minutes at 500 Hz. */
const CAPACITY = 1 << 16;

export class Series {
  readonly time = new Float64Array(CAPACITY);
  private readonly values = new Map<string, Float64Array>();
  /** Number of samples added so far; sample s is at index s modulo the capacity. */
  taken = 0;

  constructor(readonly sizes: Readonly<Record<string, number>>) {
    for (const [name, size] of Object.entries(sizes)) {
      this.values.set(name, new Float64Array(CAPACITY * size));
    }
  }

  get first(): number {
    return Math.max(0, this.taken - CAPACITY);
  }

  clear(): void {
    this.taken = 0;
  }

  add(batch: Batch): void {
    for (let i = 0; i < batch.count; i++) {
      const slot = this.taken % CAPACITY;
      const time = batch.row("time", i)[0] ?? NaN;
      // the time of another controller begins at zero again
      if (this.taken > 0 && time < this.timeAt(this.taken - 1)) {
        this.clear();
        return this.add(batch);
      }
      this.time[slot] = time;
      for (const [name, buffer] of this.values) {
        const size = this.sizes[name]!;
        const row = batch.row(name, i);
        for (let j = 0; j < size; j++) buffer[slot * size + j] = row[j] ?? NaN;
      }
      this.taken++;
    }
  }

  timeAt(sample: number): number {
    return this.time[sample % CAPACITY]!;
  }

  at(name: string, element: number, sample: number): number {
    const size = this.sizes[name]!;
    return this.values.get(name)![(sample % CAPACITY) * size + element]!;
  }

  /** The first sample at or after a time. */
  find(time: number): number {
    let low = this.first;
    let high = this.taken;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeAt(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
