import { isRecord, own } from "@kubeloop/controller/internal/base";
import {
  propertiesOf,
  requiredOf,
  type SchemaNode,
  valuesOf,
  wishesOf,
} from "../../samples/mod.ts";
import type { CampaignScope, PropertyChange } from "../plans/mod.ts";
import { coupledNames } from "./coupled_names.ts";

/** The most pairs of properties below one object. */
const MAX_PAIRS = 20;

/**
 * Returns the changes of a campaign: each property of an object removed, and set to each of its extremes; then several
 * properties together where a rule or their names couple them.
 *
 * @param schema The schema of the object.
 * @param object The object before the change.
 */
export function changesOf(
  schema: SchemaNode,
  object: Readonly<Record<string, unknown>>,
  scope: CampaignScope,
): readonly (readonly PropertyChange[])[] {
  const single: PropertyChange[][] = [];
  const together: PropertyChange[][] = [];
  for (const [name, node] of wishesOf(schema)) walk(node, own(object, name), [name]);
  return [...single, ...together];

  function walk(node: SchemaNode, value: unknown, path: readonly string[]): void {
    const required = new Set(requiredOf(node));
    const byName = new Map<string, readonly PropertyChange[]>();
    for (const [name, schema] of propertiesOf(node)) {
      const at = [...path, name];
      if (scope.except.has(at.join("."))) continue;
      const present = own(value, name);
      const changes = changesOfProperty(schema, present, at, required.has(name));
      byName.set(name, changes);
      single.push(...changes.map((change) => [change]));
      // Properties below an absent object change with the object itself.
      if (at.length <= scope.depth && isRecord(present)) walk(schema, present, at);
    }
    together.push(...pairsOf(node, byName));
  }
}

function changesOfProperty(
  node: SchemaNode,
  present: unknown,
  path: readonly string[],
  isRequired: boolean,
): readonly PropertyChange[] {
  const removed = present === undefined || isRequired ? [] : [{ path, from: present }];
  return [
    ...removed,
    ...valuesOf(node, present).map((to): PropertyChange =>
      present === undefined ? { path, to } : { path, from: present, to }
    ),
  ];
}

function pairsOf(
  node: SchemaNode,
  byName: ReadonlyMap<string, readonly PropertyChange[]>,
): readonly PropertyChange[][] {
  const pairs = coupledNames(node).slice(0, MAX_PAIRS);
  return pairs.flatMap(([a, b]) => {
    const [ones, others] = [byName.get(a) ?? [], byName.get(b) ?? []];
    const isGone = ({ to }: PropertyChange) => to === undefined;
    const [set, otherSet] = [ones.find((it) => !isGone(it)), others.find((it) => !isGone(it))];
    const [gone, otherGone] = [ones.find(isGone), others.find(isGone)];
    return [[set, otherSet], [gone, otherSet], [set, otherGone], [gone, otherGone]]
      .flatMap(([one, other]) => one === undefined || other === undefined ? [] : [[one, other]]);
  });
}
