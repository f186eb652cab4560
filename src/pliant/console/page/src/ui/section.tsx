import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface SectionProps {
  id: string;
  title: string;
  summary?: ComponentChildren;
  closed?: boolean;
  children: ComponentChildren;
}

/** A section of the panel that can be folded; the browser stores whether it is. */
export function Section({ id, title, summary, closed = false, children }: SectionProps) {
  const key = `pliant.section.${id}`;
  const [open, setOpen] = useState(
    () => (localStorage.getItem(key) ?? (closed ? "0" : "1")) === "1",
  );
  const toggled = (event: Event) => {
    const now = (event.currentTarget as HTMLDetailsElement).open;
    localStorage.setItem(key, now ? "1" : "0");
    setOpen(now);
  };
  return (
    <details class="section" id={`section-${id}`} open={open} onToggle={toggled}>
      <summary>
        <h2>{title}</h2>
        <span class="summary ellipsis">{summary}</span>
      </summary>
      {open && <div class="body">{children}</div>}
    </details>
  );
}
