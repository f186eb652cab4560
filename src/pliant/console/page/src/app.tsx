/** The whole page: the bar, the arm and its plots, and the panel with its tabs. */

import { signal } from "@preact/signals";
import { Bar } from "./bar";
import { Joints } from "./joints/board";
import { Laws } from "./laws/laws";
import { MessageLine } from "./message-line";
import { Advanced } from "./panel/advanced";
import { ComplianceAxes } from "./panel/axes";
import { Connection } from "./panel/connection";
import { CommandFrames } from "./panel/frames";
import { Logging } from "./panel/logging";
import { NextStep } from "./panel/next-step";
import { WrenchMonitor } from "./panel/monitor";
import { PoseReference } from "./panel/pose";
import { RunParameters } from "./panel/run";
import { Sensor } from "./panel/sensor";
import { WrenchTarget } from "./panel/wrench";
import { Plots } from "./plots/plots";
import { View } from "./view3d/view";

const TABS = ["Control", "Joints", "Laws"] as const;
type Tab = (typeof TABS)[number];

export const tab = signal<Tab>("Control");

export function App() {
  return (
    <div class="console" data-tab={tab.value}>
      <Bar />
      <main class="stage">
        <View />
        <Plots />
      </main>
      <aside class="side">
        <nav class="tabs" role="tablist">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab.value === name}
              onClick={() => (tab.value = name)}
            >
              {name}
            </button>
          ))}
        </nav>
        {tab.value === "Control" && <ControlTab />}
        {tab.value === "Joints" && <Joints />}
        {tab.value === "Laws" && <Laws />}
        <MessageLine />
      </aside>
    </div>
  );
}

function ControlTab() {
  return (
    <>
      <NextStep />
      <div class="scroll">
        <Connection />
        <CommandFrames />
        <WrenchTarget />
        <ComplianceAxes />
        <PoseReference />
        <RunParameters />
        <Advanced />
        <Sensor />
        <Logging />
      </div>
      <div class="foot">
        <WrenchMonitor />
      </div>
    </>
  );
}
