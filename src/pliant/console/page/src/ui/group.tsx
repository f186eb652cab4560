import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** A group that can be unfolded; what is in it is not made before. */
export function Group({ title, children }: { title: string; children: () => ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div class="stack">{children()}</div>}
    </details>
  );
}
