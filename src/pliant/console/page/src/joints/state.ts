/** What the operator has set on the motor page, joint by joint. */

import { signal } from "@preact/signals";
import { command, hello } from "../core/store";

export const DEGREES = 180 / Math.PI;

/** Sliders that stream do so only if asked to. */
export const streaming = signal(false);

/** Where a slider was left, by joint and quantity, in the units of the wire. */
export const targets = signal<Record<string, number>>({});

export function targetOf(joint: number, quantity: string): number | undefined {
  return targets.value[`${joint}.${quantity}`];
}

export function setTarget(joint: number, quantity: string, value: number): void {
  targets.value = { ...targets.value, [`${joint}.${quantity}`]: value };
}

export function forgetTarget(joint: number, quantity: string): void {
  const { [`${joint}.${quantity}`]: _forgotten, ...kept } = targets.value;
  targets.value = kept;
}

export function jointTitle(name: string): string {
  return name
    .replace(/_joint$/, "")
    .replace(/^(panda|fr3)_/, "")
    .replaceAll("_", " ");
}

export const selectMode = (joints: string, word: string) => command(`MODE ${joints} ${word}`);

export const forceIdle = (joints: string) => command(`MODE ${joints} force_idle`);

export const setInteraction = (joints: string, word: string) =>
  command(`INTERACTION ${joints} ${word}`);

/** To the arm's home position, along a trajectory; the joint must be in position mode. */
export function goHome(joints: number[]): Promise<{ ok: boolean }> {
  const home = hello.value?.arm.home ?? [];
  return command(`PMOVE ${joints.join(",")} ${joints.map((j) => home[j]).join(",")}`);
}

/** Calibration moves the joint by itself: it asks first. */
export function calibrate(joints: string, what: string): void {
  if (confirm(`Calibrate ${what}? The arm may move by itself.`))
    void command(`CALIBRATE ${joints}`);
}
