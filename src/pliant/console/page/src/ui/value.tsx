import { useEffect, useState } from "preact/hooks";
import { entry, parse } from "../core/format";

interface ValueProps {
  /** What the field is, for screen readers and tests. */
  label: string;
  value: number;
  onCommit: (value: number) => void;
  /** Called with every change that is a number, before it is committed. */
  onEdit?: (value: number) => void;
  onEnter?: () => void;
  disabled?: boolean;
  mark?: "clamped" | "invalid" | undefined;
  title?: string;
}

/** A field for one number: Enter or leaving it commits, Escape takes the edit back. */
export function Value(props: ValueProps) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => setText(null), [props.value]);
  const parsed = text === null ? props.value : parse(text);
  const commit = () => {
    if (text === null) return;
    if (parsed !== null && parsed !== props.value) props.onCommit(parsed);
    setText(null);
  };
  const edited = (event: Event) => {
    const typed = (event.currentTarget as HTMLInputElement).value;
    setText(typed);
    const value = parse(typed);
    if (value !== null) props.onEdit?.(value);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      commit();
      props.onEnter?.();
    } else if (event.key === "Escape" && text !== null) {
      // the first Escape takes the edit back and also stops the arm: it is never swallowed
      setText(null);
    }
  };
  const state = parsed === null ? "invalid" : text !== null ? "edited" : (props.mark ?? "");
  return (
    <input
      class={`value ${state}`}
      inputMode="decimal"
      aria-label={props.label}
      title={props.title}
      disabled={props.disabled}
      value={text ?? entry(props.value)}
      onInput={edited}
      onBlur={commit}
      onKeyDown={key}
      onFocus={(event) => (event.currentTarget as HTMLInputElement).select()}
    />
  );
}
