/** The field of a parameter of the configuration, made from the schema. */

import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { AXES, GAIN_COMMANDS } from "../generated";
import { title, words } from "../core/format";
import {
  bounds,
  isLive,
  nodeAt,
  numberIn,
  toNumber,
  valueAt,
  yaml,
  type Node,
} from "../core/schema";
import { command, has, hello, mayCommand, running } from "../core/store";
import { Group } from "./group";
import { SixFields } from "./six";
import { Value } from "./value";

interface ParameterProps {
  path: string;
  name?: string;
  /** Without the description. */
  terse?: boolean;
}

/** Values sent to a program without SET and GET, by path: it cannot be asked for them. */
const sent = signal<Record<string, unknown>>({});
effect(() => {
  hello.value;
  sent.value = {};
});

export function Parameter({ path, name, terse }: ParameterProps) {
  const node = nodeAt(path);
  if (!node) return null;
  const why = whyFixed(path);
  const label = name ?? title(path.split(".").at(-1)!);
  const hint = [node.description, bounds(node), why].filter(Boolean).join(" ");
  const disabled = !mayCommand.value || why !== "";
  const field = {
    path,
    node,
    disabled,
    label,
    hint,
    set: (value: unknown) => void set(path, value),
  };
  return (
    <div class="parameter" data-path={path}>
      <Field {...field} headless={terse} />
      {!terse && hint && <p class="note">{hint}</p>}
    </div>
  );
}

/** Why a parameter cannot be changed now; empty if it can. */
function whyFixed(path: string): string {
  if (!running.value) return "";
  if (has("SET")) return isLive(path) ? "" : "Fixed while the arm runs.";
  return has(GAIN_COMMANDS[path] ?? "") ? "" : "Not available with this program.";
}

async function set(path: string, value: unknown): Promise<void> {
  if (has("SET")) return void (await command(`SET ${path} ${yaml(value)}`));
  const reply = await command(`${GAIN_COMMANDS[path]} ${(value as number[]).join(" ")}`);
  if (reply.ok) sent.value = { ...sent.value, [path]: value };
}

interface FieldProps {
  path: string;
  node: Node;
  label: string;
  hint: string;
  disabled: boolean;
  /** Without the names of the axes. */
  headless?: boolean;
  set: (value: unknown) => void;
}

function Field(props: FieldProps) {
  const { node, path } = props;
  const value = sent.value[path] ?? valueAt(path);
  const choices = node.enum ?? (node.const !== undefined ? [node.const] : null);
  if (choices) return <Choice {...props} choices={choices.map(String)} value={String(value)} />;
  if (Array.isArray(value)) return <Row {...props} values={value.map(toNumber)} />;
  if (typeof value === "boolean") return <Switch {...props} on={value} />;
  if (numberIn(node)) {
    return (
      <Line {...props}>
        <Value
          label={path}
          value={value === null ? NaN : toNumber(value)}
          disabled={props.disabled}
          onCommit={props.set}
          onClear={node.anyOf && (() => props.set(null))}
          title={props.hint}
        />
      </Line>
    );
  }
  return (
    <Line {...props}>
      <span class="ellipsis faint">{value === null ? "as given" : JSON.stringify(value)}</span>
    </Line>
  );
}

function Switch(props: FieldProps & { on: boolean }) {
  return (
    <Line {...props}>
      <input
        type="checkbox"
        aria-label={props.path}
        checked={props.on}
        disabled={props.disabled}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
    </Line>
  );
}

function Choice(props: FieldProps & { choices: string[]; value: string }) {
  return (
    <Line {...props}>
      <select
        aria-label={props.path}
        value={props.value}
        disabled={props.disabled || props.choices.length < 2}
        onChange={(event) => props.set(event.currentTarget.value)}
      >
        {props.choices.map((choice) => (
          <option key={choice} value={choice}>
            {words(choice)}
          </option>
        ))}
      </select>
    </Line>
  );
}

/** Several numbers in a row; six numbers have the names of the axes above them. */
function Row(props: FieldProps & { values: number[] }) {
  const { values, node, path } = props;
  if (values.length === 6) {
    return (
      <>
        <div class="row">
          <span class="soft">{props.label}</span>
          <span class="unit push">{unitOf(node)}</span>
        </div>
        <SixFields
          of={path}
          names={AXES}
          units={["", ""]}
          values={values}
          disabled={props.disabled}
          onCommit={props.set}
          title={props.hint}
          headless={props.headless}
        />
      </>
    );
  }
  const commit = (index: number, value: number) =>
    props.set(values.map((old, i) => (i === index ? value : old)));
  return (
    <Line {...props}>
      <span class="row">
        {values.map((value, i) => (
          <Value
            key={i}
            label={`${path} ${i}`}
            value={value}
            disabled={props.disabled}
            onCommit={(changed) => commit(i, changed)}
            title={props.hint}
          />
        ))}
      </span>
    </Line>
  );
}

function Line({ label, node, hint, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field" title={hint}>
      <span class="name">{label}</span>
      {children}
      <span class="unit">{unitOf(node)}</span>
    </div>
  );
}

/** The unit to show; a plain number has none. */
function unitOf(node: Node): string {
  return node.unit === "1" ? "" : (node.unit ?? "");
}

/** Every parameter of a section; sections inside it are folded. */
export function Parameters({ path }: { path: string }) {
  const node = nodeAt(path);
  const names = Object.keys(node?.properties ?? {});
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const nested = (name: string) => nodeAt(at(name))?.properties !== undefined;
  return (
    <>
      {names
        .filter((name) => !nested(name))
        .map((name) => (
          <Parameter key={name} path={at(name)} />
        ))}
      {names.filter(nested).map((name) => (
        <Group key={name} title={words(name)}>
          {() => <Parameters path={at(name)} />}
        </Group>
      ))}
    </>
  );
}
