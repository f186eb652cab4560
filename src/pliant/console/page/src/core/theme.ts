/** The light or dark theme: that of the system, until the operator chooses one. */

import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

const KEY = "pliant.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = localStorage.getItem(KEY) as Theme | null;

export const theme = signal<Theme>(chosen ?? systemTheme());

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

system.addEventListener("change", () => {
  if (!localStorage.getItem(KEY)) theme.value = systemTheme();
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(KEY, theme.value);
}

/** A colour of the style sheet, for drawing by script. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function systemTheme(): Theme {
  return system.matches ? "dark" : "light";
}
