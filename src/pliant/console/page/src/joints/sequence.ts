/** A sequence of joint positions, and its run. */

import { signal } from "@preact/signals";
import { latest, latestNumber } from "../core/live";
import { line } from "../core/link";
import { tell } from "../core/store";

/** One step: where to go, and how fast or in what time. */
export interface Step {
  /** Joint positions, rad. */
  positions: number[];
  /** Mean speed of every joint, rad/s. */
  speed: number | null;
  /** How long it takes, s; when timed, when the next step begins. */
  duration: number | null;
}

export type How = "once" | "timed" | "cycle";

export const steps = signal<Step[]>([]);
/** The step under way, -1 while nothing runs. */
export const at = signal(-1);

const LOOK = 50;
/** Given up on a step that does not arrive, ms. */
const PATIENCE = 60_000;
/** A joint that is there already still needs a speed to be sent anywhere, rad/s. */
const LEAST_SPEED = 1e-3;
let run = 0;

export function stopSequence(): void {
  run++;
  at.value = -1;
  void line("JSTOP all");
}

/** Go through the steps, every joint in position mode. */
export async function runSequence(how: How): Promise<void> {
  if (how === "timed" && steps.value.some((step) => step.duration === null)) {
    return tell(false, "to be timed, every step needs a duration");
  }
  const mine = ++run;
  const wanted = () => run === mine;
  let ok = await obeyed("MODE all position");
  do {
    for (let index = 0; ok && wanted() && index < steps.value.length; index++) {
      at.value = index;
      ok = await goTo(steps.value[index]!, how === "timed", wanted);
    }
  } while (ok && wanted() && how === "cycle");
  if (wanted()) at.value = -1;
}

async function goTo(step: Step, timed: boolean, wanted: () => boolean): Promise<boolean> {
  const began = performance.now();
  const speeds = speedsOf(step);
  if (speeds && !(await obeyed(`SPEED all ${speeds.join(",")}`))) return false;
  if (!(await obeyed(`PMOVE all ${step.positions.join(",")}`))) return false;
  const waited = () => performance.now() - began;
  const until = async (done: () => boolean) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    } while (wanted() && !done() && waited() < PATIENCE);
  };
  if (!timed) {
    await until(() => arrived(step));
    return true;
  }
  // a step takes its time by the arm's clock, not by the page's, from when the arm set out
  const told = latestNumber("time");
  await until(() => latestNumber("time") > told);
  const start = latestNumber("time");
  await until(() => latestNumber("time") - start >= step.duration!);
  return true;
}

async function obeyed(text: string): Promise<boolean> {
  const reply = await line(text);
  if (!reply.ok) tell(false, reply.text);
  return reply.ok;
}

/** With a duration each joint is as fast as it takes to arrive in time, all of them together. */
function speedsOf(step: Step): number[] | null {
  if (step.speed !== null) return step.positions.map(() => step.speed!);
  if (step.duration === null) return null;
  const q = latest("q");
  const speed = (goal: number, j: number) => Math.abs(goal - (q[j] ?? goal)) / step.duration!;
  return step.positions.map((goal, j) => Math.max(LEAST_SPEED, speed(goal, j)));
}

function arrived(step: Step): boolean {
  const goal = latest("q_goal");
  const taken = step.positions.every((position, j) => Math.abs((goal[j] ?? NaN) - position) < 1e-6);
  return taken && latest("joint_done").every((done) => done === 1);
}
