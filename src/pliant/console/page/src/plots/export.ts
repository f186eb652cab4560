/** Exports the plots as a picture and as a table. */

import { WRENCH_AXES } from "../generated";
import { series } from "../core/live";
import { colour } from "../core/theme";
import { shown, type Trace } from "./window";

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A table with every sample of the time span shown, not only the points drawn. */
export function csv(): Blob {
  const { from, to } = shown();
  const head = [
    "time_s",
    ...["s", "d"].flatMap((kind) => WRENCH_AXES.map((name) => `${name}_${kind}`)),
  ];
  const lines = [head.join(",")];
  for (
    let sample = series.find(from);
    sample < series.taken && series.timeAt(sample) <= to;
    sample++
  ) {
    const row = [series.timeAt(sample)];
    for (const name of ["w_T", "w_desired_T"]) {
      for (let axis = 0; axis < 6; axis++) row.push(series.at(name, axis, sample));
    }
    lines.push(row.map((value) => Number(value.toPrecision(9))).join(","));
  }
  return new Blob([lines.join("\n"), "\n"], { type: "text/csv" });
}

export interface Drawn {
  trace: Trace;
  canvas: HTMLCanvasElement;
  box: DOMRect;
}

/** A picture of all plots with titles and legend, at the resolution of the screen. */
export function png(drawn: readonly Drawn[], area: DOMRect): Promise<Blob> {
  const ratio = devicePixelRatio;
  const picture = document.createElement("canvas");
  picture.width = area.width * ratio;
  picture.height = area.height * ratio;
  const pen = picture.getContext("2d")!;
  pen.scale(ratio, ratio);
  pen.fillStyle = colour("surface");
  pen.fillRect(0, 0, area.width, area.height);
  pen.textBaseline = "top";
  for (const { trace, canvas, box } of drawn) {
    const x = box.left - area.left;
    const y = box.top - area.top;
    pen.drawImage(canvas, x, y, box.width, box.height);
    title(pen, trace, x, y - 17);
  }
  return new Promise((resolve) => picture.toBlob((blob) => resolve(blob!), "image/png"));
}

function title(pen: CanvasRenderingContext2D, trace: Trace, x: number, y: number): void {
  const write = (text: string, at: number, tone: string, weight = 400) => {
    pen.font = `${weight} 11px "Inter", sans-serif`;
    pen.fillStyle = colour(tone);
    pen.fillText(text, at, y);
    return at + pen.measureText(text).width + 8;
  };
  let at = write(`${trace.title} / ${trace.unit}`, x + 12, "text", 600);
  at = write("sensed", at, "sensed");
  write("desired", at, "desired");
}
