/** The operator's settings on the motor page, and the commands of its buttons. */

import { signal } from "@preact/signals";
import { FORCE_IDLE } from "../generated";
import { command, hello } from "../core/store";

export const DEGREES = 180 / Math.PI;

/** Whether sliders may stream commands. */
export const streaming = signal(false);

/** The positions of the sliders, by joint and unit of the command, in SI units. */
export const targets = signal<Record<string, number>>({});

export function targetOf(joint: number, unit: string): number | undefined {
  return targets.value[`${joint}.${unit}`];
}

export function setTarget(joint: number, unit: string, value: number): void {
  targets.value = { ...targets.value, [`${joint}.${unit}`]: value };
}

export function forgetTarget(joint: number, unit: string): void {
  const { [`${joint}.${unit}`]: _forgotten, ...kept } = targets.value;
  targets.value = kept;
}

export function jointTitle(name: string): string {
  return name
    .replace(/_joint$/, "")
    .replace(/^(panda|fr3)_/, "")
    .replaceAll("_", " ");
}

export const selectMode = (joints: string, word: string) => command(`MODE ${joints} ${word}`);

export const forceIdle = (joints: string) => command(`MODE ${joints} ${FORCE_IDLE}`);

export const setInteraction = (joints: string, word: string) =>
  command(`INTERACTION ${joints} ${word}`);

/** Move joints to the arm's home position; they must be in position mode. */
export function goHome(joints: number[]): Promise<{ ok: boolean }> {
  const home = hello.value?.arm.home ?? [];
  return command(`PMOVE ${joints.join(",")} ${joints.map((j) => home[j]).join(",")}`);
}

/** Calibrate joints, after a confirmation: calibration moves the arm. */
export function calibrate(joints: string, what: string): void {
  if (confirm(`Calibrate ${what}? The arm may move by itself.`))
    void command(`CALIBRATE ${joints}`);
}
