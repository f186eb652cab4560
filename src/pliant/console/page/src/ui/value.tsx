import { useEffect, useState } from "preact/hooks";
import { entry, parse } from "../core/format";

interface ValueProps {
  /** What the field is, for screen readers and tests. */
  label: string;
  value: number;
  onCommit: (value: number) => void;
  /** Called with every change that is a number, before it is committed. */
  onEdit?: (value: number) => void;
  /** The field may be empty. */
  onClear?: () => void;
  onEnter?: () => void;
  disabled?: boolean;
  mark?: "clamped" | "invalid" | undefined;
  title?: string;
}

/** A field for one number: Enter or leaving it commits, Escape takes the edit back. */
export function Value(props: ValueProps) {
  const [text, setText] = useState<string | null>(null);
  // as text, because NaN, which is an empty field, differs from itself
  useEffect(() => setText(null), [String(props.value)]);
  const parsed = text === null ? props.value : parse(text);
  const empty = text?.trim() === "" && !!props.onClear;
  const commit = () => {
    if (text === null) return;
    if (empty) props.onClear!();
    else if (parsed !== null && parsed !== props.value) props.onCommit(parsed);
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
  const state =
    parsed === null && !empty ? "invalid" : text !== null ? "edited" : (props.mark ?? "");
  return (
    <input
      class={`value ${state}`}
      inputMode="decimal"
      aria-label={props.label}
      title={props.title}
      disabled={props.disabled}
      placeholder={props.onClear && "not known"}
      value={text ?? entry(props.value)}
      onInput={edited}
      onBlur={commit}
      onKeyDown={key}
      onFocus={(event) => (event.currentTarget as HTMLInputElement).select()}
    />
  );
}
