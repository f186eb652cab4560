/** The arm in 3D, or the joint temperatures in its place. */

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { AXES } from "../generated";
import { fixed } from "../core/format";
import { useColumn } from "../core/live";
import { eulerFromQuat, type Quat } from "../core/spatial";
import { hello, mayCommand } from "../core/store";
import { theme } from "../core/theme";
import { forceControlled } from "../panel/axes";
import { Tour } from "../tour/tour";
import { Temperatures } from "../temperatures";
import type { World } from "./world";

export const showTemperatures = signal(false);
const pulled = signal(0);

export function View() {
  return (
    <section class="pane view" aria-label="Arm">
      {showTemperatures.value ? <Temperatures /> : <ThreeD />}
      <label class="check corner">
        <input
          type="checkbox"
          checked={showTemperatures.value}
          onChange={(event) => (showTemperatures.value = event.currentTarget.checked)}
        />
        Joint temperatures
      </label>
      <Tour />
    </section>
  );
}

function ThreeD() {
  const host = useRef<HTMLDivElement>(null);
  const world = useRef<World | null>(null);
  const [failure, setFailure] = useState("");
  const arm = hello.value?.arm;
  const scene = hello.value?.scene ?? null;
  const what = JSON.stringify([arm?.spec, arm?.X_FT, scene]);

  useEffect(() => {
    if (!arm) return;
    let ended = false;
    const show = async () => {
      const { World } = await import("./world");
      if (ended) return;
      const pullable = () => mayCommand.value && (hello.value?.capabilities.push ?? false);
      world.current = new World(
        host.current!,
        arm,
        scene,
        pullable,
        (force) => (pulled.value = force),
      );
    };
    show().catch((error: unknown) => setFailure(String(error)));
    return () => {
      ended = true;
      world.current?.end();
      world.current = null;
    };
  }, [what]);
  useEffect(() => world.current?.paint(), [theme.value]);

  return (
    <div class="three" ref={host} data-testid="view3d">
      {failure && (
        <p class="nothing">
          No 3D view: this browser has no WebGL. Everything else works without it.
        </p>
      )}
      <Pose />
      <PullNote />
      <div class="view-buttons">
        <button type="button" class="small" onClick={() => world.current?.home()}>
          Whole arm
        </button>
        <button type="button" class="small" onClick={() => world.current?.closeUp()}>
          Tool
        </button>
      </div>
    </div>
  );
}

/** The poses of tool and reference in numbers. */
function Pose() {
  const rows: [string, Float64Array][] = [
    ["Tool", useColumn("X_WT")],
    ["Reference", useColumn("X_WR")],
  ];
  if (rows[0]![1].length < 7) return null;
  return (
    <table class="pose num">
      <thead>
        <tr>
          <th />
          {AXES.map((name, i) => (
            <th key={name}>
              {name} <span class="unit">{i < 3 ? "m" : "°"}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, X]) => (
          <tr key={name} data-testid={`pose-${name.toLowerCase()}`}>
            <th scope="row">{name}</th>
            {[0, 1, 2].map((i) => (
              <td key={i}>{fixed(X[i], 4)}</td>
            ))}
            {eulerFromQuat([X[3]!, X[4]!, X[5]!, X[6]!] as Quat).map((angle, i) => (
              <td key={i}>{fixed(angle < -179.995 ? 180 : angle, 2)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A hint on pulling the tool, and why the arm does not move if no axis is compliant. */
function PullNote() {
  const compliant = forceControlled().some(Boolean);
  if (!hello.value?.capabilities.push || !mayCommand.value) return null;
  if (pulled.value > 0) {
    return (
      <p class="pull-note active num">
        {fixed(pulled.value, 1)} N
        {!compliant && " – every axis is rigid: the arm does not give way"}
      </p>
    );
  }
  return (
    <p class="pull-note">
      Drag the tool to pull it{compliant ? "" : "; make an axis compliant to feel it yield"}
    </p>
  );
}
