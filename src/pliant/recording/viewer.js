"use strict";
// Draws the panels over a shared time axis, from the data in the page.

const data = JSON.parse(document.getElementById("data").textContent);
const LEFT = 58, RIGHT = 8, TOP = 6, BOTTOM = 20;
const view = { from: data.range[0], to: data.range[1] };
let pointer = null;  // time under the pointer, or null

function unpack(text, type) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new type(bytes.buffer);
}

function indexAt(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

function steps(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) * power;
  const places = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) places.push(i * step);
  return { places, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

class Panel {
  constructor(panel) {
    Object.assign(this, panel);
    for (const line of this.lines) {
      line.time = times[line.time];
      line.values = unpack(line.values, Float32Array);
      line.shown = true;
    }
    this.build();
  }

  build() {
    const section = document.createElement("section");
    const title = document.createElement("h2");
    title.textContent = this.title;
    section.append(title);
    for (const line of this.lines) section.append(this.button(line));
    this.canvas = document.createElement("canvas");
    section.append(this.canvas);
    document.getElementById("panels").append(section);
    listen(this);
  }

  button(line) {
    line.button = document.createElement("button");
    line.button.className = "line";
    const dashes = line.dashes.join(" ");
    line.button.innerHTML =
      `<svg width="22" height="8"><line x1="0" y1="4" x2="22" y2="4" stroke="${line.color}"` +
      ` stroke-width="2" stroke-dasharray="${dashes}"/></svg><span></span> <span class="value"></span>`;
    line.button.querySelector("span").textContent = line.label;
    line.button.onclick = () => {
      line.shown = !line.shown;
      line.button.classList.toggle("off", !line.shown);
      draw();
    };
    return line.button;
  }

  bounds() {
    let low = Infinity, high = -Infinity;
    for (const line of this.lines.filter((line) => line.shown)) {
      const end = Math.min(line.values.length, indexAt(line.time, view.to) + 1);
      for (let i = Math.max(0, indexAt(line.time, view.from) - 1); i < end; i++) {
        const value = line.values[i];
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (low > high) low = high = 0;
    const missing = Math.max(0, (this.minHeight || 1e-9) - (high - low));
    const room = 0.06 * (high - low + missing) + missing / 2;
    return [low - room, high + room];
  }

  draw() {
    const scale = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const [low, high] = this.bounds();
    this.x = (time) => LEFT + (width - LEFT - RIGHT) * (time - view.from) / (view.to - view.from);
    this.timeAt = (x) => view.from + (view.to - view.from) * (x - LEFT) / (width - LEFT - RIGHT);
    const y = (value) => height - BOTTOM - (height - TOP - BOTTOM) * (value - low) / (high - low);
    pen.font = "11px system-ui, sans-serif";
    this.drawTicks(pen, y, low, high, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM);
    pen.clip();
    this.drawMarks(pen, height);
    for (const line of this.lines.filter((line) => line.shown)) this.drawLine(pen, line, y);
    if (pointer !== null) vertical(pen, this.x(pointer), height, "#888", 1);
    pen.restore();
    this.nameValues();
  }

  drawTicks(pen, y, low, high, width, height) {
    pen.fillStyle = data.contactColor;
    for (const [from, to] of data.contact) {
      const begin = Math.max(LEFT, this.x(from)), end = Math.min(width - RIGHT, this.x(to));
      if (end > begin) pen.fillRect(begin, TOP, end - begin, height - TOP - BOTTOM);
    }
    pen.fillStyle = "#333";
    pen.strokeStyle = "rgba(0, 0, 0, 0.12)";
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const vertically = steps(low, high, 4), along = steps(view.from, view.to, width / 90);
    for (const value of vertically.places) {
      segment(pen, LEFT, y(value), width - RIGHT, y(value));
      pen.fillText(value.toFixed(vertically.digits), LEFT - 6, y(value));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const time of along.places) {
      segment(pen, this.x(time), TOP, this.x(time), height - BOTTOM);
      pen.fillText(`${time.toFixed(along.digits)} s`, this.x(time), height - BOTTOM + 4);
    }
  }

  drawMarks(pen, height) {
    pen.textAlign = "left";
    pen.textBaseline = "top";
    for (const mark of data.marks) {
      vertical(pen, this.x(mark.time), height, mark.color, 1);
      pen.fillStyle = mark.color;
      if (this === panels[0]) pen.fillText(mark.text, this.x(mark.time) + 3, TOP);
    }
  }

  drawLine(pen, line, y) {
    pen.strokeStyle = line.color;
    pen.lineWidth = 1.3;
    pen.setLineDash(line.dashes);
    pen.beginPath();
    const { time, values } = line;
    const end = Math.min(values.length, indexAt(time, view.to) + 2);
    let down = false;
    for (let i = Math.max(0, indexAt(time, view.from) - 2); i < end; i++) {
      if (Number.isNaN(values[i])) { down = false; continue; }
      if (down) pen.lineTo(this.x(time[i]), y(values[i]));
      else pen.moveTo(this.x(time[i]), y(values[i]));
      down = true;
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  nameValues() {
    for (const line of this.lines) {
      const read = pointer !== null && line.time.length > 0;
      const value = read ? line.values[Math.min(indexAt(line.time, pointer), line.time.length - 1)] : 0;
      const text = Number.isNaN(value) ? "–" : value.toFixed(3).replace("-0.000", "0.000");
      line.button.lastChild.textContent = read ? text : "";
    }
  }
}

function segment(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function vertical(pen, x, height, color, width) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  segment(pen, x, TOP, x, height - BOTTOM);
}

function look(from, to) {
  const [first, last] = data.range;
  const length = Math.min(Math.max(to - from, 0.005), last - first);
  view.from = Math.min(Math.max(from, first), last - length);
  view.to = view.from + length;
  draw();
}

function zoom(time, factor) {
  look(time - (time - view.from) * factor, time + (view.to - time) * factor);
}

function shift(share) {
  const by = share * (view.to - view.from);
  look(view.from + by, view.to + by);
}

function listen(panel) {
  const canvas = panel.canvas;
  let held = null;
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(panel.timeAt(event.offsetX), event.deltaY > 0 ? 1.25 : 0.8);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    held = panel.timeAt(event.offsetX);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointermove", (event) => {
    const time = panel.timeAt(event.offsetX);
    if (held !== null) return look(view.from + held - time, view.to + held - time);
    pointer = Math.min(Math.max(time, view.from), view.to);
    draw();
  });
  canvas.addEventListener("pointerleave", () => { pointer = null; draw(); });
  canvas.addEventListener("dblclick", () => look(...data.range));
}

let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    for (const panel of panels) panel.draw();
    const shown = document.getElementById("time");
    shown.textContent = pointer === null ? "" : `${pointer.toFixed(3)} s`;
  });
}

window.addEventListener("resize", draw);
window.addEventListener("keydown", (event) => {
  const middle = pointer ?? (view.from + view.to) / 2;
  const actions = {
    "+": () => zoom(middle, 0.8), "=": () => zoom(middle, 0.8), "-": () => zoom(middle, 1.25),
    "0": () => look(...data.range),
    ArrowLeft: () => shift(-0.1), ArrowRight: () => shift(0.1),
  };
  actions[event.key]?.();
});

const times = data.times.map((text) => unpack(text, Float64Array));
const panels = [];
for (const panel of data.panels) panels.push(new Panel(panel));
draw();
