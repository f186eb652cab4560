/** The modes of a joint; names and colours come from stages/joints/joint_modes.py. */

import { JOINT_MODES, type JointModeInfo, type MotionInfo } from "../generated";

/** The control modes that an operator can select, in the order of the menus. */
export const MODES = JOINT_MODES.filter((mode) => mode.selectable);

const UNKNOWN = JOINT_MODES.find((mode) => mode.word === "unknown")!;

/** The mode with a code in the column `mode`. */
export function modeOf(code: number | undefined): JointModeInfo {
  return JOINT_MODES.find((mode) => mode.code === code) ?? UNKNOWN;
}

/** The command that the slider of a joint gives in a mode; null if there is none. */
export function motionOf(mode: JointModeInfo): MotionInfo | null {
  return mode.motions[0] ?? null;
}
