/** Formats numbers and names for people. */

/** A number with fixed decimals and a true minus sign; a dash if it is unknown. */
export function fixed(value: number | undefined, digits: number): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  const negative = value < 0 && Number(text) !== 0;
  return (negative ? "−" : "") + text;
}

/** A number for an input field, with ten significant digits. */
export function entry(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : value < 0 ? "-inf" : "";
  return String(Number(value.toPrecision(10)));
}

/** The number that a person has typed; null if it is not a number. */
export function parse(text: string): number | null {
  const plain = text.trim().replace("−", "-").replace(",", ".");
  if (/^\+?(inf|∞)$/i.test(plain)) return Infinity;
  if (plain === "" || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** A number with three significant digits, without exponent: 1234567 → 1230000. */
export function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function milliseconds(seconds: number | undefined): string {
  return seconds === undefined ? "–" : fixed(1e3 * seconds, 2);
}

export function bytes(count: number): string {
  if (count < 1e3) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(1).padStart(4, "0");
  return `${minutes}:${rest}`;
}

/** A name in code as words: damping_ratio → damping ratio. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** A name in code as a heading: pid_i_limit → PID i limit. */
export function title(name: string): string {
  return capital(words(name)).replace(/^P(i?d)\b/, (found) => found.toUpperCase());
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
