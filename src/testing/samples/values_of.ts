import {
  formatQuantity,
  isRecord,
  jsonEqual,
  parseQuantity,
} from "@kubeloop/controller/internal/base";
import { isAllowed, MAX_LENGTH, sampleOf, samplesOf, textOf } from "./sample_of.ts";
import {
  enumOf,
  isIntOrString,
  numberIn,
  partsOf,
  propertiesOf,
  requiredOf,
  type SchemaNode,
} from "./schema_node.ts";

/** The most values of one property. */
const MAX_VALUES = 8;
/** A maximum above this is tried only if the present value is near it: it may be a number of Pods. */
const MANY = 100;
/** The number of items of a long list, unless fewer are allowed. */
const LONG_LIST = 5;
/** The length of a long text without a maximum, in characters. */
const LONG_TEXT = 64;

/** A quantity with a unit, such as `10Gi` or `500m`. */
const QUANTITY = /^\d+(\.\d+)?([KMGTPE]i|[numkMGTPE])$/;

/**
 * Returns other values of a property than the present one: the extremes that its schema allows. An absent property gets a
 * sample first.
 *
 * @param node The schema of the property.
 * @param present The present value; undefined if the property is absent.
 */
export function valuesOf(node: SchemaNode, present: unknown): readonly unknown[] {
  const sample = present === undefined ? [sampleOf(node, { n: 1 })] : [];
  const out: unknown[] = [];
  for (const value of [...sample, ...extremesOf(node, present)]) {
    if (value === undefined || jsonEqual(value, present)) continue;
    if (!out.some((other) => jsonEqual(other, value))) out.push(value);
  }
  return out.slice(0, MAX_VALUES);
}

function extremesOf(node: SchemaNode, present: unknown): readonly unknown[] {
  const values = enumOf(node);
  if (values.length > 0) return values;
  if (isIntOrString(node)) {
    if (typeof present === "string" && QUANTITY.test(present)) {
      return quantitiesAround(present).filter((text) => isAllowed(text, node));
    }
    return [0, numberOr(present, 1) + 1, "50%"].filter((value) =>
      typeof value === "number" || isAllowed(value, node)
    );
  }
  switch (node["type"]) {
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return numbers(node, present);
    case "string":
      return texts(node, present);
    case "array":
      return lists(node, present);
    default:
      return objects(node, present);
  }
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

function numbers(node: SchemaNode, present: unknown): readonly number[] {
  const step = numberIn(node, "multipleOf") ?? 1;
  const [min = 0, max] = [numberIn(node, "minimum"), numberIn(node, "maximum")];
  const least = node["exclusiveMinimum"] === true ? min + step : min;
  const most = max === undefined || node["exclusiveMaximum"] !== true ? max : max - step;
  const now = numberOr(present, least);
  const isNear = most !== undefined && (Math.abs(most) <= MANY || Math.abs(now) > MANY);
  return [least, ...(isNear ? [most] : []), now + step]
    .filter((value) => value >= least && value <= (most ?? Infinity));
}

function texts(node: SchemaNode, present: unknown): readonly unknown[] {
  const format = node["format"];
  const mayBeQuantity = format === undefined || format === "quantity";
  if (mayBeQuantity && typeof present === "string" && QUANTITY.test(present)) {
    return quantitiesAround(present).filter((text) => isAllowed(text, node));
  }
  const text = (length: number) => "a".repeat(Math.max(0, Math.min(length, MAX_LENGTH)));
  return [
    textOf(node, 1),
    textOf(node, 2),
    ...(format === undefined
      ? [text(numberIn(node, "minLength") ?? 0), text(numberIn(node, "maxLength") ?? LONG_TEXT)]
        .filter((text) => isAllowed(text, node))
      : []),
  ];
}

/** Returns twice a quantity, and half of it. */
function quantitiesAround(text: string): readonly string[] {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return [];
  const { format, nano } = quantity;
  return [nano * 2n, nano / 2n].map((nano) => formatQuantity({ nano, format }));
}

function lists(node: SchemaNode, present: unknown): readonly unknown[] {
  const items = partsOf(node, "items");
  const least = numberIn(node, "minItems") ?? 0;
  const most = Math.min(numberIn(node, "maxItems") ?? LONG_LIST, 2 * LONG_LIST);
  const has = Array.isArray(present) ? present : [];
  const more = samplesOf(items, most, 1);
  return [
    ...(least === 0 ? [[]] : []),
    has.slice(0, -1),
    [...has, ...more.slice(0, 1)],
    [...has, ...more].slice(0, most),
  ].filter((list) => list.length >= least && list.length <= most);
}

function objects(node: SchemaNode, present: unknown): readonly unknown[] {
  const empty = requiredOf(node).length === 0 ? [{}] : [];
  const values = partsOf(node, "additionalProperties");
  if (values === undefined) return propertiesOf(node).length === 0 ? [] : empty;
  const has = isRecord(present) ? present : {};
  const [name] = Object.keys(has);
  const other = sampleOf(values, { n: 2 });
  if (other === undefined) return empty;
  return [
    ...empty,
    { ...has, "sample-2": other },
    ...(name === undefined ? [] : [{ ...has, [name]: other }]),
  ];
}
