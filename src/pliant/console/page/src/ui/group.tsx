import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** A folded group; its content is made when the operator unfolds it. */
export function Group({ title, children }: { title: string; children: () => ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div class="stack">{children()}</div>}
    </details>
  );
}
