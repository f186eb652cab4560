/** The modes of a joint: names, words on the wire, what they take, and their colours. */

import { hello } from "../core/store";

/** What a slider drives in a mode: the command, and whether it must be streamed. */
export interface Drive {
  word: string;
  quantity: "position" | "velocity" | "torque" | "output";
  streamed: boolean;
}

export interface Mode {
  word: string;
  title: string;
  drive: Drive | null;
  /** Only an arm that takes torques can do it. */
  needsTorque?: boolean;
}

const MOVE: Drive = { word: "PMOVE", quantity: "position", streamed: false };

/** What can be selected, in the order in which it is offered. */
export const MODES: readonly Mode[] = [
  { word: "idle", title: "idle", drive: null },
  { word: "position", title: "position", drive: MOVE },
  {
    word: "position_direct",
    title: "position direct",
    drive: { word: "PDIRECT", quantity: "position", streamed: true },
  },
  {
    word: "velocity",
    title: "velocity",
    drive: { word: "VMOVE", quantity: "velocity", streamed: true },
  },
  { word: "mixed", title: "mixed", drive: MOVE },
  {
    word: "torque",
    title: "torque",
    drive: { word: "TORQUE", quantity: "torque", streamed: true },
    needsTorque: true,
  },
  {
    word: "open_loop",
    title: "open loop",
    drive: { word: "OUTPUT", quantity: "output", streamed: true },
    needsTorque: true,
  },
];

/** A mode's name in the tick's own words: hardware_fault, calibrating, position, … */
export function modeName(code: number | undefined): string {
  return code === undefined
    ? "unknown"
    : (hello.value?.modes[String(code)] ?? `mode ${code}`).toLowerCase();
}

export function modeOf(name: string): Mode | undefined {
  return MODES.find((mode) => mode.word === name);
}

/** The colours that the motor user interface of YARP has for its modes. */
const COLOURS: Record<string, string> = {
  idle: "249 236 141",
  position: "149 221 186",
  position_direct: "119 206 111",
  mixed: "150 205 220",
  velocity: "150 190 255",
  torque: "219 166 171",
  open_loop: "250 250 250",
  hardware_fault: "255 50 50",
  calibrating: "220 220 220",
  calibration_done: "220 220 220",
};
const OTHER = "190 190 190";

export function modeColour(name: string): string {
  return `rgb(${COLOURS[name] ?? OTHER})`;
}
