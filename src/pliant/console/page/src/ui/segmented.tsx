interface Option<T extends string> {
  value: T;
  label: string;
  /** Name of a colour in the style sheet. */
  tone?: string;
  title?: string;
  disabled?: boolean;
}

interface SegmentedProps<T extends string> {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  wide?: boolean;
  disabled?: boolean;
}

/** A choice with all options visible. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const move = (event: KeyboardEvent, index: number) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next =
      step && props.options[(index + step + props.options.length) % props.options.length];
    if (!next || next.disabled) return;
    event.preventDefault();
    props.onChange(next.value);
    const group = (event.currentTarget as HTMLElement).parentElement!;
    (group.children[props.options.indexOf(next)] as HTMLElement).focus();
  };
  return (
    <div class={`segmented ${props.wide ? "wide" : ""}`} role="radiogroup" aria-label={props.label}>
      {props.options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === props.value}
          tabIndex={option.value === props.value ? 0 : -1}
          disabled={props.disabled || option.disabled}
          title={option.title}
          style={option.tone ? { "--tone": `var(--${option.tone})` } : undefined}
          onClick={() => props.onChange(option.value)}
          onKeyDown={(event) => move(event, index)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
