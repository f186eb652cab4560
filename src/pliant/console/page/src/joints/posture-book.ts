/** The file of a sequence: named postures and sequences of them, as `pliant.tasks.postures` reads it. */

import { parse, stringify } from "yaml";
import { DEGREES } from "./state";
import type { Step } from "./sequence";

interface Row {
  posture: string;
  speed?: number | null;
  duration?: number | null;
}

interface Book {
  unit?: "rad" | "deg";
  postures?: Record<string, number[]>;
  sequences?: Record<string, Row[]>;
}

const NAME = "sequence";

export function toYaml(steps: readonly Step[]): string {
  const degrees = (radians: number) => Number((radians * DEGREES).toFixed(4));
  const name = (index: number) => `posture ${index + 1}`;
  const book: Book = {
    unit: "deg",
    postures: Object.fromEntries(steps.map((step, i) => [name(i), step.positions.map(degrees)])),
    sequences: {
      [NAME]: steps.map((step, i) => ({
        posture: name(i),
        ...(step.speed !== null && { speed: degrees(step.speed) }),
        ...(step.duration !== null && { duration: step.duration }),
      })),
    },
  };
  return stringify(book, { collectionStyle: "any" });
}

/** The first sequence of a file, for an arm of n joints.

Throws an Error that says what is wrong, and where. */
export function fromYaml(text: string, n: number): { name: string; steps: Step[] } {
  const book = (parse(text) ?? {}) as Book;
  const first = Object.entries(book.sequences ?? {})[0];
  if (!first) throw new Error("there is no sequence in this file");
  const [name, rows] = first;
  if (!Array.isArray(rows) || rows.length === 0) throw new Error(`${name} has no steps`);
  const unit = book.unit === "deg" ? 1 / DEGREES : 1;
  return {
    name,
    steps: rows.map((row, i) => stepOf(row, book, n, unit, `${name}, step ${i + 1}`)),
  };
}

function stepOf(row: Row, book: Book, n: number, unit: number, where: string): Step {
  const positions = book.postures?.[row?.posture];
  if (!Array.isArray(positions)) throw new Error(`${where}: no posture ${row?.posture}`);
  if (positions.length !== n || !positions.every(Number.isFinite)) {
    throw new Error(`${where}: posture ${row.posture} needs ${n} numbers`);
  }
  for (const [key, value] of Object.entries({ speed: row.speed, duration: row.duration })) {
    if (value != null && !(value > 0)) throw new Error(`${where}: ${key} must be above 0`);
  }
  if (row.speed != null && row.duration != null)
    throw new Error(`${where}: speed and duration, not both`);
  return {
    positions: positions.map((value) => value * unit),
    speed: row.speed == null ? null : row.speed * unit,
    duration: row.duration ?? null,
  };
}
