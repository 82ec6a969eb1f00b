import { compileExpression } from "../program/mod.ts";
import { estimateCost } from "./estimate_cost.ts";
import type { DeclType } from "../schema/mod.ts";
import { BOOL, type CelType, mapOf, QUANTITY, showType, STRING, structOf } from "../types/mod.ts";

/** The greatest estimated cost of a selector. */
const MAX_COST = 1_000_000n;

/** The number of attributes and capacities of a device. */
const MAX_ENTRIES = 32;

/** The type of an attribute. Unlike a dynamic value, it may be the result of a selector. */
const ANY: CelType = { kind: "dyn", name: "google.protobuf.Any", params: [] };

function text(maxElements: number): DeclType {
  return { type: STRING, maxElements, minSize: 2 };
}

/** Returns the type of what a device has by domain and name. */
function byName(elements: DeclType): DeclType {
  const inner = map(text(32), elements);
  return map(text(63), inner);
}

function map(keys: DeclType, elements: DeclType): DeclType {
  return {
    type: mapOf(STRING, elements.type),
    maxElements: MAX_ENTRIES,
    minSize: 2,
    keys,
    elements,
  };
}

const FIELDS: ReadonlyMap<string, DeclType> = new Map([
  ["driver", text(63)],
  ["attributes", byName({ type: ANY, maxElements: 64, minSize: 1 })],
  ["capacity", byName({ type: QUANTITY, maxElements: 0, minSize: 1 })],
]);

const DEVICE: DeclType = {
  type: structOf(
    "kubernetes.DRADevice",
    new Map([...FIELDS].map(([name, { type }]) => [name, type])),
  ),
  maxElements: 0,
  minSize: 2,
  fields: FIELDS,
};

const VARIABLES: ReadonlyMap<string, CelType> = new Map([["device", DEVICE.type]]);
const ROOTS: ReadonlyMap<string, DeclType> = new Map([["device", DEVICE]]);

/** The problems of a selector of devices; empty if it is valid. */
export interface SelectorProblem {
  /** The real server's message for an invalid expression. */
  readonly error?: string;
  /** Whether an evaluation may cost too much. */
  readonly expensive?: boolean;
}

/** Checks the expression of a selector of devices. */
export function checkDeviceSelector(source: string): SelectorProblem {
  const compiled = compileExpression(source, VARIABLES, { bindings: true });
  if ("issues" in compiled) return { error: `compilation failed: ${compiled.issues}` };
  const { type } = compiled.checked;
  if (type !== BOOL && type !== ANY && type.kind !== "bool") {
    return { error: `must evaluate to bool or the unknown type, not ${showType(type)}` };
  }
  return estimateCost(compiled.checked, ROOTS) > MAX_COST ? { expensive: true } : {};
}
