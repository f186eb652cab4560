/** A sequence of joint positions: its file, and its run. */

import { signal } from "@preact/signals";
import { parse as parseYaml, stringify } from "yaml";
import { latest } from "../core/live";
import { line } from "../core/link";
import { tell } from "../core/store";

/** One step: where to go, how fast, and how long it lasts when run timed. */
export interface Step {
  /** Joint positions, rad. */
  positions: number[];
  /** Mean speed of every joint, rad/s. */
  speed: number;
  /** s */
  time: number;
}

export type How = "once" | "timed" | "cycle";

export const steps = signal<Step[]>([]);
/** The step under way, -1 while nothing runs. */
export const at = signal(-1);

const LOOK = 50;
/** Given up on a step that does not arrive, ms. */
const PATIENCE = 60_000;
let run = 0;

export function stopSequence(): void {
  run++;
  at.value = -1;
  void line("JSTOP all");
}

/** Go through the steps; the arm's joints must be in position mode. */
export async function runSequence(how: How): Promise<void> {
  const mine = ++run;
  do {
    for (let index = 0; index < steps.value.length; index++) {
      at.value = index;
      const ok = await step(steps.value[index]!, how === "timed", () => run === mine);
      if (run !== mine) return;
      if (!ok) {
        at.value = -1;
        return;
      }
    }
  } while (how === "cycle");
  at.value = -1;
}

async function step(now: Step, timed: boolean, wanted: () => boolean): Promise<boolean> {
  const began = performance.now();
  const goals = now.positions.join(",");
  for (const text of [`SPEED all ${speedsOf(now, timed).join(",")}`, `PMOVE all ${goals}`]) {
    const reply = await line(text);
    if (!reply.ok) {
      tell(false, reply.text);
      return false;
    }
  }
  const over = () =>
    timed ? performance.now() - began >= 1e3 * now.time : arrived(now) || performance.now() - began > PATIENCE;
  do {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  } while (wanted() && !over());
  return true;
}

/** In a timed run each joint is as fast as it takes to arrive in time, all of them together. */
function speedsOf(now: Step, timed: boolean): number[] {
  if (!timed) return now.positions.map(() => now.speed);
  const q = latest("q");
  return now.positions.map((goal, j) => Math.max(1e-3, Math.abs(goal - (q[j] ?? goal)) / now.time));
}

function arrived(now: Step): boolean {
  const goal = latest("q_goal");
  const taken = now.positions.every((position, j) => Math.abs((goal[j] ?? NaN) - position) < 1e-6);
  return taken && latest("joint_done").every((done) => done === 1);
}

export function toYaml(): string {
  return stringify({ steps: steps.value });
}

/** The steps in a file.

Throws an Error that says which step is wrong. */
export function fromYaml(text: string, n: number): Step[] {
  const read = parseYaml(text) as { steps?: unknown } | null;
  if (!Array.isArray(read?.steps)) throw new Error("this file has no steps");
  return read.steps.map((step: Partial<Step>, index: number) => {
    const { positions, speed = 0.3, time = 2 } = step;
    const numbers = Array.isArray(positions) && positions.every((value) => Number.isFinite(value));
    if (!numbers || positions.length !== n) {
      throw new Error(`step ${index + 1} needs ${n} joint positions in rad`);
    }
    if (!(speed > 0) || !(time > 0)) throw new Error(`step ${index + 1} needs a speed and a time above 0`);
    return { positions, speed, time };
  });
}
