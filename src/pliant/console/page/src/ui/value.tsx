import { useLayoutEffect, useState } from "preact/hooks";
import { entry, parse } from "../core/format";

interface ValueProps {
  /** Label for screen readers and tests. */
  label: string;
  value: number;
  onCommit: (value: number) => void;
  /** Called with every valid number while the operator types. */
  onEdit?: (value: number) => void;
  /** Called when the operator empties the field; without it the field must not be empty. */
  onClear?: () => void;
  onEnter?: () => void;
  disabled?: boolean;
  mark?: "clamped" | "invalid" | undefined;
  title?: string;
}

/** A field for one number: Enter or leaving it commits the edit, Escape discards it. */
export function Value(props: ValueProps) {
  const [text, setText] = useState<string | null>(null);
  // as text, because NaN, which is an empty field, is not equal to itself; before the next event,
  // because an effect after painting would discard what was typed meanwhile
  useLayoutEffect(() => setText(null), [String(props.value)]);
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
      // Escape discards the edit, and also stops the arm
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
