import { signal } from "@preact/signals";

export const tourOpen = signal(false);

export function openTour(): void {
  tourOpen.value = true;
}
