/** One plot: sensed and desired over time. */

import uPlot from "uplot";
import { colour } from "../core/theme";
import { fixed } from "../core/format";
import { frozen, type Trace } from "./window";

const SYNC = uPlot.sync("wrench");
const FONT = '10.5px "Inter", system-ui, sans-serif';

export class Chart {
  private readonly plot: uPlot;
  private scale = { min: 0, max: 0 };

  constructor(
    private readonly host: HTMLElement,
    private readonly trace: Trace,
    private readonly readout: HTMLElement,
  ) {
    this.plot = new uPlot(this.options(), [[], [], []], host);
    new ResizeObserver(() => this.resize()).observe(host);
  }

  get width(): number {
    return this.host.clientWidth;
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  draw(times: Float64Array, values: Float64Array[], from: number, to: number): void {
    this.plot.batch(() => {
      this.plot.setData([times, values[0]!, values[1]!] as unknown as uPlot.AlignedData, false);
      this.plot.setScale("x", { min: from, max: to });
      this.plot.setScale("y", this.range(values));
    });
    this.read();
  }

  destroy(): void {
    this.plot.destroy();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width > 0 && height > 0) this.plot.setSize({ width, height });
  }

  /** The range of the scale in round steps; it shrinks only if it is much too large. */
  private range(values: Float64Array[]): { min: number; max: number } {
    let low = 0;
    let high = 0;
    for (const column of values) {
      for (const value of column) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    const span = Math.max(high - low, this.trace.least);
    const step = 10 ** Math.floor(Math.log10(span)) / 2;
    let min = low < 0 ? Math.floor((low - 0.04 * span) / step) * step : 0;
    let max = Math.ceil((high + 0.04 * span) / step) * step;
    if (max - min < this.trace.least) {
      max = low < 0 ? Math.max(max, this.trace.least / 2) : this.trace.least;
      min = low < 0 ? Math.min(min, -this.trace.least / 2) : 0;
    }
    const kept = this.scale;
    const shrunk = max - min < 0.6 * (kept.max - kept.min);
    if (shrunk || min < kept.min || max > kept.max) this.scale = { min, max };
    return this.scale;
  }

  /** Show the values under the pointer, or the newest values. */
  private read(): void {
    const { data, cursor } = this.plot;
    const at = cursor.idx ?? data[0].length - 1;
    const digits = this.trace.unit === "N" ? 2 : 3;
    const value = (column: number) => fixed(data[column]?.[at] ?? NaN, digits);
    this.readout.children[0]!.textContent = value(1);
    this.readout.children[1]!.textContent = value(2);
  }

  private options(): uPlot.Options {
    const axis = { stroke: colour("faint"), font: FONT, ticks: { show: false } };
    const grid = { stroke: colour("grid"), width: 1 };
    return {
      width: Math.max(50, this.host.clientWidth),
      height: Math.max(50, this.host.clientHeight),
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: {
        sync: { key: SYNC.key },
        points: { size: 5 },
        drag: { x: true, y: false, setScale: false },
      },
      scales: {
        x: { time: false, auto: false },
        y: { auto: false, range: (_, min, max) => [min, max] },
      },
      series: [
        {},
        { stroke: colour("sensed"), width: 1.4, points: { show: false } },
        { stroke: colour("desired"), width: 1.4, dash: [5, 4], points: { show: false } },
      ],
      axes: [
        {
          ...axis,
          grid,
          size: 20,
          gap: 2,
          space: 60,
          values: (plot, splits) => seconds(plot, splits),
        },
        { ...axis, grid, size: 40, gap: 4, space: (plot) => Math.max(28, plot.height / 7) },
      ],
      hooks: {
        setSelect: [(plot) => this.zoom(plot)],
        setCursor: [() => this.read()],
        ready: [(plot) => plot.over.addEventListener("dblclick", () => (frozen.value = null))],
      },
    };
  }

  private zoom(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    frozen.value = { from: plot.posToVal(left, "x"), to: plot.posToVal(left + width, "x") };
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }
}

/** Labels of the time axis: none at its left end, and the unit on the last one. */
function seconds(plot: uPlot, splits: number[]): string[] {
  const { min = 0, max = 1 } = plot.scales.x!;
  const clear = min + 0.04 * (max - min);
  const last = Math.max(...splits.filter((t) => t < max - 0.04 * (max - min)));
  return splits.map((t) => (t < clear || t < 0 ? "" : `${+t.toFixed(3)}${t === last ? " s" : ""}`));
}
