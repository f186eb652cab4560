/** The frames of the wrenches and positions that the operator enters. */

import { signal } from "@preact/signals";
import type { FRAMES } from "../generated";
import { Section } from "../ui/section";
import { Segmented } from "../ui/segmented";

export type Frame = (typeof FRAMES)[number];

export const wrenchFrame = signal<Frame>("tool");
export const positionFrame = signal<Frame>("world");

export function CommandFrames() {
  const odd = wrenchFrame.value === "world" && positionFrame.value === "tool";
  return (
    <Section
      id="frames"
      title="Command frames"
      summary={`wrench ${wrenchFrame.value} · position ${positionFrame.value}`}
    >
      <div class="field two">
        <span class="name">Wrench</span>
        <Segmented
          label="Wrench frame"
          wide
          value={wrenchFrame.value}
          onChange={(frame) => (wrenchFrame.value = frame)}
          options={[
            {
              value: "tool",
              label: "Tool",
              tone: "wrench-tool",
              title: "Recommended: Fz acts along the tool",
            },
            { value: "world", label: "World", tone: "wrench-world" },
          ]}
        />
      </div>
      <div class="field two">
        <span class="name">Position</span>
        <Segmented
          label="Position frame"
          wide
          value={positionFrame.value}
          onChange={(frame) => (positionFrame.value = frame)}
          options={[
            { value: "world", label: "World", tone: "position-world", title: "Recommended" },
            { value: "tool", label: "Tool", tone: "position-tool" },
          ]}
        />
      </div>
      {odd && (
        <p class="banner bad" role="alert" data-testid="frame-warning">
          World wrench with tool position is rarely what you want: the force keeps its direction
          while the motion turns with the tool.
        </p>
      )}
    </Section>
  );
}
