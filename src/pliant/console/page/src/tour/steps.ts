/** The nine steps of a peg insertion: their texts, what they do, and when they are done. */

import { COMPLIANCE_LAW } from "../generated";
import { latest, latestNumber } from "../core/live";
import { command, hello, running, status } from "../core/store";
import { sendAxes } from "../panel/axes";
import { start } from "../panel/start";
import { moveBy } from "../panel/pose";
import { sendWrench } from "../panel/wrench";

export interface Step {
  title: string;
  text: string;
  /** Does the step; returns early once `wanted` is false. */
  act: (wanted: () => boolean) => Promise<void>;
  /** Whether the step is done, by the newest tick. */
  done: () => boolean;
}

const HOVER = 0.005;
/** Length of a nudge, m: short enough for one of them to end within the clearance of the hole. */
const NUDGE = 0.0004;
const MOST_NUDGES = 120;
/** A peg this far below the surface has found the hole, m. */
const DROP = 0.0008;
const SEATED = 0.95;
const LOOK = 60;

export const STEPS: readonly Step[] = [
  {
    title: "Approach the hole",
    text: "The arm holds a peg, and a drawing says where the hole is. Move to 5 mm above it, with every axis under position control.",
    act: approach,
    done: () => Math.abs(depth() + HOVER) < 0.001 && latestNumber("ref_done") === 1,
  },
  {
    title: "Look around",
    text: "On the left are the arm, the force on its tool as an arrow, and the wrench over time. On the right are your commands. STOP and Escape always work.",
    act: async () => {},
    done: () => running.value,
  },
  {
    title: "Make the insertion axis compliant",
    text: "Compliance axes: only z. The arm will now follow force along the tool's z axis, and hold its position in all others.",
    act: async () => void (await sendAxes([false, false, true, false, false, false])),
    done: () => latestNumber("n_af") === 1 && Math.abs(latest("Tr")[2] ?? 0) > 0.99,
  },
  {
    title: "Ask for a gentle contact",
    text: "Wrench target: Fz = −3 N. The surface pushes back with 3 N against the tool, whose z axis points down.",
    act: async () => void (await sendWrench([0, 0, -3, 0, 0, 0], "tool")),
    done: () => latest("w_target")[2] === -3,
  },
  {
    title: "Watch it come down",
    text: "The peg moves down until it touches the surface, and stops there at 3 N. It is not in the hole: the drawing is wrong by a millimetre.",
    act: (wanted) => until(() => (latest("w_T")[2] ?? 0) < -2.5, wanted, 40),
    done: () => (latest("w_T")[2] ?? 0) < -2,
  },
  {
    title: "Press a little more",
    text: "Raise the force in steps of 1 N to 5 N. The lateral forces should stay small.",
    act: press,
    done: () => (latest("w_desired_T")[2] ?? 0) < -4.9,
  },
  {
    title: "Find the hole",
    text: "Move the reference sideways by fractions of a millimetre until the peg drops in; the force then pushes it to the bottom.",
    act: search,
    done: () => depth() > SEATED * (hello.value?.scene?.hole_depth ?? Infinity),
  },
  {
    title: "Release the force",
    text: "Fz = 0, and every axis under position control again: the arm holds the peg in the hole.",
    act: async () => {
      await sendWrench([0, 0, 0, 0, 0, 0], "tool");
      await sendAxes([false, false, false, false, false, false]);
    },
    done: () => latestNumber("n_af") === 0 && latest("w_target").every((value) => value === 0),
  },
  {
    title: "Stop",
    text: "End the controller. At every stop the force targets go to zero and the arm comes to rest.",
    act: async () => void (await command("STOP")),
    done: () => status.value?.phase === "ended",
  },
];

/** Whether the scene has a hole. */
export function hasHole(): boolean {
  return (hello.value?.scene?.hole_depth ?? 0) > 0;
}

/** Depth of the tip below the nominal surface, m. */
function depth(): number {
  const surface = hello.value?.scene?.X_WH?.[2];
  const [, , z] = latest("X_WT");
  return surface === undefined || z === undefined ? NaN : surface - z;
}

async function approach(wanted: () => boolean): Promise<void> {
  if (!running.value) {
    if (!(await start())) return;
    await until(() => running.value && latest("X_WT").length === 7, wanted, 60);
  }
  await until(() => status.value?.ready ?? false, wanted, 10);
  if (!status.value?.law) await command(`LAW ${COMPLIANCE_LAW}`);
  await sendAxes([false, false, false, false, false, false]);
  const [x, y, z] = hello.value!.scene!.X_WH!;
  const [tx, ty, tz] = latest("X_WT");
  await moveBy([x! - tx!, y! - ty!, z! + HOVER - tz!, 0, 0, 0], "world");
  await until(() => STEPS[0]!.done(), wanted, 20);
}

async function press(wanted: () => boolean): Promise<void> {
  for (const force of [4, 5]) {
    await sendWrench([0, 0, -force, 0, 0, 0], "tool");
    await until(() => (latest("w_T")[2] ?? 0) < 0.4 - force, wanted, 5);
    if (!wanted()) return;
  }
}

/** Nudge along a square spiral until the peg drops, then wait until it is seated. */
async function search(wanted: () => boolean): Promise<void> {
  const surface = depth();
  const found = () => depth() > surface + DROP;
  for (const [dx, dy] of spiral(MOST_NUDGES)) {
    if (!wanted() || found()) break;
    await moveBy([dx * NUDGE, dy * NUDGE, 0, 0, 0, 0], "world");
    await until(found, wanted, 0.35);
  }
  await until(() => STEPS[6]!.done(), wanted, 15);
}

/** Unit steps: right, up, twice left, twice down, three times right, … */
function* spiral(count: number): Generator<[number, number]> {
  const turns: [number, number][] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  let made = 0;
  for (let side = 0; made < count; side++) {
    for (let i = 0; i <= side >> 1; i++, made++) yield turns[side % 4]!;
  }
}

async function until(met: () => boolean, wanted: () => boolean, seconds: number): Promise<void> {
  const overdue = performance.now() + 1e3 * seconds;
  while (wanted() && !met() && performance.now() < overdue) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}
