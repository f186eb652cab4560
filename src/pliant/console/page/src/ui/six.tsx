import { Value } from "./value";

export type Six = [number, number, number, number, number, number];
type Marks = readonly (("clamped" | "invalid") | undefined)[];

interface SixProps {
  /** Names of the six values, such as Fx … Tz. */
  names: readonly string[];
  units: readonly [string, string];
  values: readonly number[];
  onCommit: (values: number[]) => void;
  onEnter?: () => void;
  marks?: Marks;
  disabled?: boolean;
  headless?: boolean;
  title?: string;
  /** Prefix of the fields' labels. */
  of?: string;
}

/** Six numbers in a row: three of translation, three of rotation. */
export function SixFields(props: SixProps) {
  const commit = (index: number, value: number) =>
    props.onCommit(props.values.map((old, i) => (i === index ? value : old)));
  return (
    <div class="six">
      {!props.headless &&
        props.names.map((name, i) => (
          <span class="head" key={name}>
            {name}
            <span class="unit">{props.units[i < 3 ? 0 : 1]}</span>
          </span>
        ))}
      {props.names.map((name, i) => (
        <Value
          key={name}
          label={props.of ? `${props.of} ${name}` : name}
          value={props.values[i] ?? NaN}
          onCommit={(value) => commit(i, value)}
          onEnter={props.onEnter}
          mark={props.marks?.[i]}
          disabled={props.disabled}
          title={props.title}
        />
      ))}
    </div>
  );
}
