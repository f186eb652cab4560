/** The motor page: all joints together, each joint, and sequences. */

import { useEffect } from "preact/hooks";
import { latest, useColumn, want } from "../core/live";
import { command, has, hello, mayCommand, status } from "../core/store";
import { JOINT_FAULTS } from "../generated";
import { CommandForm } from "../ui/command-form";
import { Section } from "../ui/section";
import { JointCard } from "./card";
import { modeOf, MODES } from "./modes";
import { Sequences } from "./sequences";
import { calibrate, forceIdle, goHome, selectMode, setInteraction, streaming } from "./state";

const COLUMNS = [
  "mode",
  "interaction",
  "fault",
  "joint_done",
  "speed_joint",
  "q_goal",
  "K_joint",
  "D_joint",
  "tau",
];

export function Joints() {
  const known = new Set(hello.value?.columns.map((column) => column.name));
  const columns = COLUMNS.filter((name) => known.has(name));
  useEffect(() => want(columns), [columns.join()]);
  const faults = useColumn("fault");
  const modes = useColumn("mode");
  const n = hello.value?.arm.n ?? 0;
  const available = has("MODE");
  return (
    <div class="scroll joints">
      {!available && (
        <p class="banner">
          {status.value?.phase === "running"
            ? "This program has no joint modes: the joints can only be watched."
            : "Start an arm to drive its joints."}
        </p>
      )}
      {available && status.value?.law && (
        <div class="banner row">
          <span class="grow">A law is in charge of the joints.</span>
          <button
            type="button"
            class="small"
            disabled={!mayCommand.value}
            onClick={() => command("OFF")}
          >
            End law
          </button>
        </div>
      )}
      <AllJoints n={n} available={available} />
      <div class="cards">
        {Array.from({ length: n }, (_, joint) => (
          <JointCard key={joint} joint={joint} fault={faultText(faults[joint], modes[joint])} />
        ))}
      </div>
      {available && <Sequences n={n} />}
      <InjectedFaults />
    </div>
  );
}

/** Injects faults into a simulated arm. */
function InjectedFaults() {
  const info = hello.value?.commands.find((known) => known.word === "INJECT_FAULT");
  if (!info || !has("INJECT")) return null;
  return (
    <Section id="inject" title="Injected faults" closed summary="in simulation">
      <CommandForm info={info} />
    </Section>
  );
}

function AllJoints({ n, available }: { n: number; available: boolean }) {
  const able = mayCommand.value && available;
  const joints = Array.from({ length: n }, (_, joint) => joint);
  return (
    <Section id="all-joints" title="All joints">
      <div class="row wrap">
        <button type="button" disabled={!able} onClick={() => selectMode("all", "position")}>
          Run all
        </button>
        <button type="button" disabled={!able} onClick={() => selectMode("all", "idle")}>
          Idle all
        </button>
        <button type="button" disabled={!able} onClick={() => goHome(joints)}>
          Home all
        </button>
        <button type="button" disabled={!able} onClick={() => calibrate("all", "all joints")}>
          Calib all
        </button>
        <button type="button" disabled={!able} onClick={() => forceIdle("all")}>
          Force idle all
        </button>
      </div>
      <div class="row wrap">
        <select
          class="grow"
          aria-label="Mode of all joints"
          value=""
          disabled={!able}
          onChange={(event) => selectMode("all", event.currentTarget.value)}
        >
          <option value="">mode of all…</option>
          {MODES.map((mode) => (
            <option key={mode.word} value={mode.word}>
              {mode.title}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="small"
          disabled={!able}
          onClick={() => setInteraction("all", "stiff")}
        >
          All stiff
        </button>
        <button
          type="button"
          class="small"
          disabled={!able || hello.value?.arm.interface === "position"}
          onClick={() => setInteraction("all", "compliant")}
        >
          All compliant
        </button>
        <label
          class="check"
          title="Velocity, position direct, torque and open loop are driven while this is on"
        >
          <input
            type="checkbox"
            checked={streaming.value}
            onChange={(event) => allowStreaming(event.currentTarget.checked)}
          />
          Streaming sliders
        </label>
      </div>
    </Section>
  );
}

/** A joint in torque or open-loop mode would fault without its stream, so it becomes idle. */
function allowStreaming(allowed: boolean): void {
  streaming.value = allowed;
  const driven = [...latest("mode")].flatMap((code, joint) =>
    modeOf(code).needs_torque ? [joint] : [],
  );
  if (!allowed && driven.length > 0 && mayCommand.value) void selectMode(driven.join(), "idle");
}

/** The fault of a joint in words; empty without a fault. */
function faultText(fault: number | undefined, code: number | undefined): string {
  if (modeOf(code).word !== "hardware_fault") return "";
  return `${JOINT_FAULTS[String(fault)] || "fault"}: force it idle once the cause is gone`;
}
