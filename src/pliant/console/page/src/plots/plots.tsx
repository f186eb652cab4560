/** The time series: force and torque, or all six axes. */

import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "preact/hooks";
import { stats } from "../core/live";
import { theme } from "../core/theme";
import { Segmented } from "../ui/segmented";
import { Chart } from "./chart";
import { csv, download, png, type Drawn } from "./export";
import { frozen, layout, pause, seconds, shown, thinned, TRACES } from "./window";

const SPANS = ["5", "10", "30", "60", "120"];

export function Plots() {
  const traces = TRACES[layout.value];
  const grid = useRef<HTMLDivElement>(null);
  const charts = useRef<Chart[]>([]);

  useEffect(() => {
    const cells = [...grid.current!.children];
    const made = cells.map((cell, i) => {
      const host = cell.querySelector<HTMLElement>(".canvas")!;
      return new Chart(host, traces[i]!, cell.querySelector<HTMLElement>(".readout")!);
    });
    charts.current = made;
    const ended = drawing(made);
    return () => {
      ended();
      for (const chart of made) chart.destroy();
    };
  }, [layout.value, theme.value]);

  const picture = async () => {
    const drawn: Drawn[] = charts.current.map((chart, i) => ({
      trace: traces[i]!,
      canvas: chart.canvas,
      box: chart.canvas.getBoundingClientRect(),
    }));
    download("wrench.png", await png(drawn, grid.current!.getBoundingClientRect()));
  };

  return (
    <section class="pane plots" aria-label="Time series">
      <div class="pane-bar">
        <h2>Wrench on the tool</h2>
        <span class="legend">
          <i class="sensed" /> sensed <i class="desired" /> desired
        </span>
        <span class="push" />
        {frozen.value && (
          <button type="button" class="quiet small on" onClick={() => (frozen.value = null)}>
            Back to now
          </button>
        )}
        <Segmented
          label="Seconds shown"
          value={String(seconds.value)}
          options={SPANS.map((value) => ({ value, label: `${value} s` }))}
          onChange={(value) => {
            seconds.value = Number(value);
            frozen.value = null;
          }}
        />
        <button type="button" class="quiet small" aria-pressed={!!frozen.value} onClick={pause}>
          Pause
        </button>
        <label class="check small">
          <input
            type="checkbox"
            checked={layout.value === "axes"}
            onChange={(event) =>
              (layout.value = event.currentTarget.checked ? "axes" : "magnitudes")
            }
          />
          6 axes
        </label>
        <button
          type="button"
          class="quiet small"
          onClick={picture}
          title="Save the plots as a picture"
        >
          PNG
        </button>
        <button
          type="button"
          class="quiet small"
          onClick={() => download("wrench.csv", csv())}
          title="Save every sample shown as a table"
        >
          CSV
        </button>
      </div>
      <div class={`charts ${layout.value}`} ref={grid}>
        {traces.map((trace) => (
          <figure key={trace.title} class="chart">
            <figcaption>
              <b>{trace.title}</b> <span class="unit">{trace.unit}</span>
              <span class="readout num">
                <span class="sensed" />
                <span class="desired" />
              </span>
            </figcaption>
            <div class="canvas" />
          </figure>
        ))}
      </div>
    </section>
  );
}

/** Draw with every frame of the screen; returns a function that ends it. */
function drawing(charts: readonly Chart[]): () => void {
  const traces = TRACES[layout.value];
  let request = 0;
  const frame = () => {
    request = requestAnimationFrame(frame);
    const { from, to } = shown();
    const { times, values } = thinned(from, to, charts[0]!.width, traces);
    charts.forEach((chart, i) => chart.draw(times[i]!, values[i]!, from, to));
    stats.frames++;
  };
  request = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(request);
}
