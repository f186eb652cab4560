/** One joint: its mode, its interaction, its sliders. */

import { INTERACTIONS } from "../generated";
import { fixed } from "../core/format";
import { useColumn } from "../core/live";
import { command, has, hello, mayCommand } from "../core/store";
import { Segmented } from "../ui/segmented";
import { Value } from "../ui/value";
import { DriveSlider } from "./drive";
import { modeOf, MODES, motionOf } from "./modes";
import {
  calibrate,
  DEGREES,
  forceIdle,
  goHome,
  jointTitle,
  selectMode,
  setInteraction,
} from "./state";

const COMPLIANT = INTERACTIONS.indexOf("compliant");

interface CardProps {
  joint: number;
  fault: string;
}

export function JointCard({ joint, fault }: CardProps) {
  const arm = hello.value!.arm;
  const mode = modeOf(useColumn("mode")[joint]);
  const compliant = useColumn("interaction")[joint] === COMPLIANT;
  const q = useColumn("q")[joint] ?? NaN;
  const tau = useColumn("tau")[joint] ?? NaN;
  const title = jointTitle(arm.joints[joint]!);
  const able = mayCommand.value && has("MODE");
  const byPosition = arm.interface === "position";
  const key = String(joint);
  return (
    <article
      class="joint"
      style={{ "--mode": mode.colour }}
      data-joint={joint}
      data-mode={mode.word}
    >
      <header class="row">
        <b class="ellipsis grow">
          <span class="faint" title="Number of the joint in commands">
            {joint}
          </span>{" "}
          {title}
        </b>
        <span class="num reading">
          {fixed(q * DEGREES, 2)}° <span class="unit">{fixed(tau, 1)} N·m</span>
        </span>
        <select
          class="mode"
          aria-label={`Mode of joint ${joint}`}
          value={mode.selectable ? mode.word : ""}
          disabled={!able}
          onChange={(event) => selectMode(key, event.currentTarget.value)}
        >
          {!mode.selectable && <option value="">{mode.title}</option>}
          {MODES.map((choice) => (
            <option
              key={choice.word}
              value={choice.word}
              disabled={byPosition && choice.needs_torque}
            >
              {choice.title}
              {byPosition && choice.needs_torque && " (not on this arm)"}
            </option>
          ))}
        </select>
        <Segmented
          label={`Interaction of joint ${joint}`}
          value={compliant ? "compliant" : "stiff"}
          disabled={!able}
          options={[
            { value: "stiff", label: "stiff", tone: "ok" },
            {
              value: "compliant",
              label: "compl.",
              tone: "bad",
              title: byPosition ? "Compliant joints need an arm that takes torques" : "compliant",
              disabled: byPosition,
            },
          ]}
          onChange={(word) => setInteraction(key, word)}
        />
      </header>
      {fault && (
        <p class="banner bad" role="alert">
          {fault}
        </p>
      )}
      <DriveSlider joint={joint} motion={motionOf(mode)} able={able} />
      {compliant && <Impedance joint={joint} able={able} />}
      <div class="row">
        <SpeedSlider joint={joint} able={able} />
        <button
          type="button"
          class="small"
          disabled={!able}
          onClick={() => selectMode(key, "position")}
        >
          Run
        </button>
        <button
          type="button"
          class="small"
          disabled={!able}
          onClick={() => selectMode(key, "idle")}
        >
          Idle
        </button>
        <button type="button" class="small" disabled={!able} onClick={() => goHome([joint])}>
          Home
        </button>
        <button type="button" class="small" disabled={!able} onClick={() => calibrate(key, title)}>
          Calib
        </button>
        <button
          type="button"
          class={`small ${mode.word === "hardware_fault" ? "danger" : ""}`}
          disabled={!able}
          title="Make the joint idle; clears a fault"
          onClick={() => forceIdle(key)}
        >
          Force idle
        </button>
      </div>
    </article>
  );
}

/** Stiffness and damping of a compliant joint. */
function Impedance({ joint, able }: { joint: number; able: boolean }) {
  const K = useColumn("K_joint")[joint] ?? NaN;
  const D = useColumn("D_joint")[joint] ?? NaN;
  const set = (stiffness: number, damping: number) =>
    command(`IMPEDANCE ${joint} ${stiffness} ${damping}`);
  const limp = K === 0 && D === 0;
  return (
    <div
      class={`row impedance ${limp ? "limp" : ""}`}
      title={limp ? "Without stiffness and damping a compliant joint is limp" : ""}
    >
      <span class="unit">stiffness</span>
      <Value
        label={`Stiffness of joint ${joint}`}
        value={K}
        disabled={!able}
        onCommit={(value) => set(value, D)}
      />
      <span class="unit">N·m/rad</span>
      <span class="unit push">damping</span>
      <Value
        label={`Damping of joint ${joint}`}
        value={D}
        disabled={!able}
        onCommit={(value) => set(K, value)}
      />
      <span class="unit">N·m·s/rad</span>
    </div>
  );
}

function SpeedSlider({ joint, able }: { joint: number; able: boolean }) {
  const most = hello.value!.arm.qd_max[joint]!;
  const speed = useColumn("speed_joint")[joint] ?? 0;
  return (
    <label
      class={`row speed ${speed === 0 ? "none" : ""}`}
      title={speed === 0 ? "The joint does not move at zero speed" : ""}
    >
      <span class="unit">speed</span>
      <input
        type="range"
        aria-label={`Speed of joint ${joint}`}
        min={0}
        max={most}
        step={most / 200}
        value={speed}
        disabled={!able}
        onChange={(event) => command(`SPEED ${joint} ${event.currentTarget.value}`)}
      />
      <span class="num">{fixed(speed * DEGREES, 0)}°/s</span>
    </label>
  );
}
