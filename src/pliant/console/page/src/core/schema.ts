/** The configuration's JSON schema, read for forms. */

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

/** A node with its reference followed; what stands beside the reference wins. */
export function resolve(node: Node): Node {
  const target = node.$ref ?? node.allOf?.[0]?.$ref;
  if (!target) return node;
  const found = root().$defs?.[target.split("/").at(-1)!] ?? {};
  const { $ref: _ref, allOf: _all, ...beside } = node;
  return { ...resolve(found), ...beside };
}

/** The node at a dotted path, or null. */
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

/** Infinity travels as a word. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  const sign = { inf: 1, Infinity: 1, ".inf": 1, "-inf": -1, "-Infinity": -1, "-.inf": -1 };
  return Infinity * (sign[value as keyof typeof sign] ?? NaN);
}

/** A value as the YAML that SET takes. */
export function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value) : value > 0 ? ".inf" : "-.inf";
  }
  return JSON.stringify(value);
}

/** The number that a node is, or may be instead of nothing; null if it is none. */
export function numberIn(node: Node): Node | null {
  const found = [node, ...(node.anyOf ?? [])]
    .map(resolve)
    .find((part) => part.type === "number" || part.type === "integer");
  return found ?? null;
}

/** What a number may be, in words; empty if anything. */
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

/** Whether a section can be changed while the arm runs. */
export function isLive(path: string): boolean {
  return (hello.value?.live ?? []).some(
    (section) => path === section || path.startsWith(`${section}.`),
  );
}
