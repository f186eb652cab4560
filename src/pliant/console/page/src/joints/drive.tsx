/** The slider of a joint: a target to go to, or a value to stream. */

import { useEffect, useRef } from "preact/hooks";
import { useColumn } from "../core/live";
import { line } from "../core/link";
import { command, hello } from "../core/store";
import { Value } from "../ui/value";
import type { Drive } from "./modes";
import { DEGREES, forgetTarget, setTarget, streaming, targetOf } from "./state";

/** Between two streamed commands, ms: well within the time after which they go stale. */
const PERIOD = 50;

/** The slider of whatever the mode drives; streamed where the mode asks for it and it was allowed. */
export function DriveSlider({
  joint,
  drive,
  able,
}: {
  joint: number;
  drive: Drive | null;
  able: boolean;
}) {
  const goal = useColumn("q_goal")[joint];
  const q = useColumn("q")[joint] ?? 0;
  const quantity = drive?.quantity ?? "position";
  const { low, high, scale, unit } = rangeOf(joint, quantity);
  // where nobody gives this joint goals, it has none but to be where it is
  const aimed = drive?.streamed === false && goal !== undefined ? goal : q;
  const rest = quantity === "position" ? aimed : 0;
  const value = targetOf(joint, quantity) ?? rest;
  const allowed = able && !!drive && (!drive.streamed || streaming.value);
  useStream(joint, drive, allowed);
  const finish = (changed: number) => {
    setTarget(joint, quantity, changed);
    if (drive && !drive.streamed) void command(`${drive.word} ${joint} ${changed}`);
  };
  return (
    <div
      class="row slider"
      title={
        drive?.streamed && !streaming.value ? "Allow streaming sliders to drive this mode" : ""
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
          onInput={(event) => setTarget(joint, quantity, Number(event.currentTarget.value))}
          onChange={(event) => finish(Number(event.currentTarget.value))}
        />
        {quantity === "position" && <i style={{ "--at": (q - low) / (high - low) }} />}
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

/** Send the slider's value again and again for as long as streaming is allowed in this mode. */
function useStream(joint: number, drive: Drive | null, allowed: boolean): void {
  const waiting = useRef(false);
  useEffect(() => {
    if (!drive?.streamed || !allowed) return;
    const timer = setInterval(async () => {
      const value = targetOf(joint, drive.quantity);
      if (value === undefined || waiting.current) return;
      waiting.current = true;
      await line(`${drive.word} ${joint} ${value}`);
      waiting.current = false;
    }, PERIOD);
    return () => {
      clearInterval(timer);
      // the next stream begins from rest, not from where this one was left
      forgetTarget(joint, drive.quantity);
    };
  }, [joint, drive?.word, allowed]);
}

function rangeOf(
  joint: number,
  quantity: string,
): { low: number; high: number; scale: number; unit: string } {
  const arm = hello.value!.arm;
  if (quantity === "velocity") {
    return { low: -arm.qd_max[joint]!, high: arm.qd_max[joint]!, scale: DEGREES, unit: "°/s" };
  }
  if (quantity === "torque")
    return { low: -arm.tau_max[joint]!, high: arm.tau_max[joint]!, scale: 1, unit: "N·m" };
  if (quantity === "output") return { low: -1, high: 1, scale: 100, unit: "%" };
  return { low: arm.q_min[joint]!, high: arm.q_max[joint]!, scale: DEGREES, unit: "°" };
}
