/** Reads the JSON schema of the configuration. */

import { config, hello, type Config } from "./store";

export interface Node {
  $ref?: string;
  $defs?: Record<string, Node>;
  allOf?: Node[];
  anyOf?: Node[];
  oneOf?: Node[];
  type?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Node>;
  prefixItems?: Node[];
  items?: Node;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  description?: string;
  title?: string;
  unit?: string;
}

function root(): Node {
  return (hello.value?.config_schema ?? {}) as Node;
}

/** A node with its reference resolved; entries beside the reference override it. */
export function resolve(node: Node): Node {
  const target = node.$ref ?? node.allOf?.[0]?.$ref;
  if (!target) return node;
  const found = root().$defs?.[target.split("/").at(-1)!] ?? {};
  const { $ref: _ref, allOf: _all, ...beside } = node;
  return { ...resolve(found), ...beside };
}

/** The node at a dotted path; null if there is none. */
export function nodeAt(path: string): Node | null {
  let node: Node | undefined = resolve(root());
  for (const name of path ? path.split(".") : []) {
    node = node?.properties?.[name];
    if (!node) return null;
    node = resolve(node);
  }
  return node ?? null;
}

/** The value in force at a dotted path. */
export function valueAt(path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Config | undefined)?.[name], config.value);
}

/** The number of a value in JSON, where infinity is a word. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  const sign = { inf: 1, Infinity: 1, ".inf": 1, "-inf": -1, "-Infinity": -1, "-.inf": -1 };
  return Infinity * (sign[value as keyof typeof sign] ?? NaN);
}

/** A value in YAML, for SET. */
export function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value) : value > 0 ? ".inf" : "-.inf";
  }
  return JSON.stringify(value);
}

/** The number type of a node, which may also allow null; null if it is not a number. */
export function numberIn(node: Node): Node | null {
  const found = [node, ...(node.anyOf ?? [])]
    .map(resolve)
    .find((part) => part.type === "number" || part.type === "integer");
  return found ?? null;
}

/** The bounds of a number in words; empty without bounds. */
export function bounds(node: Node): string {
  const item = resolve(node.prefixItems?.[0] ?? node.items ?? numberIn(node) ?? node);
  const signs: [string, number | undefined][] = [
    ["≥", item.minimum],
    [">", item.exclusiveMinimum],
    ["≤", item.maximum],
    ["<", item.exclusiveMaximum],
  ];
  return signs
    .flatMap(([sign, bound]) => (bound === undefined ? [] : [`${sign} ${bound}`]))
    .join(", ");
}

/** Whether a parameter can be changed while the arm runs. */
export function isLive(path: string): boolean {
  return (hello.value?.live ?? []).some(
    (section) => path === section || path.startsWith(`${section}.`),
  );
}
