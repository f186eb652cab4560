/** The slider of a joint: it sets a target, or streams a value. */

import { useEffect, useRef } from "preact/hooks";
import type { MotionInfo } from "../generated";
import { useColumn } from "../core/live";
import { line } from "../core/link";
import { command, hello } from "../core/store";
import { Value } from "../ui/value";
import { DEGREES, forgetTarget, setTarget, streaming, targetOf } from "./state";

/** Period of streamed commands, ms: much shorter than the time after which they go stale. */
const PERIOD = 50;

/** The slider for the motion command of a mode; it streams only if the operator has allowed it. */
export function DriveSlider({
  joint,
  motion,
  able,
}: {
  joint: number;
  motion: MotionInfo | null;
  able: boolean;
}) {
  const goal = useColumn("q_goal")[joint];
  const q = useColumn("q")[joint] ?? 0;
  const siUnit = motion?.unit ?? "rad";
  const { low, high, scale, unit } = rangeOf(joint, siUnit);
  // a joint without a goal stays where it is
  const aimed = motion?.streams === false && goal !== undefined ? goal : q;
  const rest = siUnit === "rad" ? aimed : 0;
  const value = targetOf(joint, siUnit) ?? rest;
  const allowed = able && !!motion && (!motion.streams || streaming.value);
  useStream(joint, motion, allowed);
  const finish = (changed: number) => {
    setTarget(joint, siUnit, changed);
    if (motion && !motion.streams) void command(`${motion.word} ${joint} ${changed}`);
  };
  return (
    <div
      class="row slider"
      title={
        motion?.streams && !streaming.value ? "Allow streaming sliders to drive this mode" : ""
      }
    >
      <div class="rail">
        <input
          type="range"
          aria-label={`Target of joint ${joint}`}
          min={low}
          max={high}
          step={(high - low) / 2000}
          value={value}
          disabled={!allowed}
          onInput={(event) => setTarget(joint, siUnit, Number(event.currentTarget.value))}
          onChange={(event) => finish(Number(event.currentTarget.value))}
        />
        {siUnit === "rad" && <i style={{ "--at": (q - low) / (high - low) }} />}
      </div>
      <Value
        label={`Target value of joint ${joint}`}
        value={Number((value * scale).toFixed(2))}
        disabled={!allowed}
        onCommit={(typed) => finish(Math.max(low, Math.min(high, typed / scale)))}
      />
      <span class="unit">{unit}</span>
    </div>
  );
}

/** Send the slider's value periodically while streaming is allowed in this mode. */
function useStream(joint: number, motion: MotionInfo | null, allowed: boolean): void {
  const waiting = useRef(false);
  useEffect(() => {
    if (!motion?.streams || !allowed) return;
    const timer = setInterval(async () => {
      const value = targetOf(joint, motion.unit);
      if (value === undefined || waiting.current) return;
      waiting.current = true;
      await line(`${motion.word} ${joint} ${value}`);
      waiting.current = false;
    }, PERIOD);
    return () => {
      clearInterval(timer);
      // the next stream begins at rest, not at the last value of this one
      forgetTarget(joint, motion.unit);
    };
  }, [joint, motion?.word, allowed]);
}

/** The range of a slider in SI units, and the scale and unit that it is shown in. */
function rangeOf(
  joint: number,
  siUnit: string,
): { low: number; high: number; scale: number; unit: string } {
  const arm = hello.value!.arm;
  if (siUnit === "rad/s") {
    return { low: -arm.qd_max[joint]!, high: arm.qd_max[joint]!, scale: DEGREES, unit: "°/s" };
  }
  if (siUnit === "N·m")
    return { low: -arm.tau_max[joint]!, high: arm.tau_max[joint]!, scale: 1, unit: "N·m" };
  if (siUnit === "1") return { low: -1, high: 1, scale: 100, unit: "%" };
  return { low: arm.q_min[joint]!, high: arm.q_max[joint]!, scale: DEGREES, unit: "°" };
}
