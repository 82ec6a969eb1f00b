import { isRecord } from "../base/mod.ts";
import type { LabelSelectorRequirement } from "./minimal/mod.ts";

/** The maximum length of the value of a label. */
const MAX_LABEL_LENGTH = 63;

/**
 * A requirement on one label. In addition to the operators of {@linkcode LabelSelector}, it has `Gt` and `Lt`, which exist
 * only in the text form.
 */
export interface SelectorRequirement {
  /** The key of the label. */
  readonly key: string;
  /** The operator, which relates the label's value to `values`. `Gt` and `Lt` compare whole numbers of 64 bits. */
  readonly operator: LabelSelectorRequirement["operator"] | "Gt" | "Lt";
  /** The operands: the values for `In` and `NotIn`, one number for `Gt` and `Lt`, none for the other operators. */
  readonly values: readonly string[];
}

/** The DNS name in front of the slash in the key of a label. */
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_PREFIX_LENGTH = 253;
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const MAX_NAME_LENGTH = 63;
const INTEGER = /^[-+]?[0-9]+$/;

/**
 * Checks a requirement.
 *
 * @throws {TypeError} When the API would reject the requirement.
 */
export function checkRequirement({ key, operator, values }: SelectorRequirement): void {
  if (typeof key !== "string" || !isQualifiedName(key)) {
    throw new TypeError(
      `Label key ${JSON.stringify(key)} is not valid, must be "name" or "dns.prefix/name"`,
    );
  }
  const bad = values.find((value) => typeof value !== "string" || !isValue(value));
  if (bad !== undefined) {
    throw new TypeError(
      `Value ${
        JSON.stringify(bad)
      } of label "${key}" is not valid, must be at most 63 letters, digits, "-", "_" or "."`,
    );
  }
  checkValueCount(key, operator, values);
}

/**
 * Reports whether `text` is a qualified name, such as the key of a label: a name of 1 to 63 characters, after an optional
 * DNS prefix and a slash.
 *
 * @internal
 */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return isName(text);
  return slash <= MAX_PREFIX_LENGTH && PREFIX.test(text.slice(0, slash)) &&
    isName(text.slice(slash + 1));
}

function isValue(text: string): boolean {
  return text === "" || isName(text);
}

function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text);
}

function checkValueCount(
  key: string,
  operator: SelectorRequirement["operator"],
  values: readonly string[],
): void {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return;
      throw new TypeError(`Operator ${operator} of label "${key}" needs at least one value`);
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return;
      throw new TypeError(`Operator ${operator} of label "${key}" takes no values`);
    case "Gt":
    case "Lt":
      if (values.length === 1 && wholeNumberOf(values[0]) !== undefined) return;
      throw new TypeError(
        `Operator ${operator} of label "${key}" needs exactly one whole number, of at most 64 bits`,
      );
    default:
      throw new TypeError(
        `Operator ${JSON.stringify(operator)} of label "${key}" is unknown, ` +
          `must be In, NotIn, Exists or DoesNotExist`,
      );
  }
}

/** Returns the label `key`, if it is a text. A server may send anything as labels, `null` included. */
function labelOf(labels: unknown, key: string): string | undefined {
  if (!isRecord(labels) || !Object.hasOwn(labels, key)) return undefined;
  const value = labels[key];
  return typeof value === "string" ? value : undefined;
}

/**
 * Parses a label or an operand as a whole number; returns undefined if the text is not one, or if the number has more than
 * 64 bits: apimachinery does not compare those. A longer text cannot be a label, and would take long to convert.
 */
function wholeNumberOf(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > MAX_LABEL_LENGTH || !INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Reports whether the label is a whole number greater than the operand; less than the operand if `sign` is -1. */
function isBeyond(label: string | undefined, operand: string | undefined, sign: 1n | -1n): boolean {
  const [value, limit] = [wholeNumberOf(label), wholeNumberOf(operand)];
  return value !== undefined && limit !== undefined && sign * value > sign * limit;
}

/** Reports whether an object with these labels meets the requirement. */
export function holds(
  { key, operator, values }: SelectorRequirement,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const value = labelOf(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isBeyond(value, values[0], 1n);
    case "Lt":
      return isBeyond(value, values[0], -1n);
  }
}

/** Returns the requirement in the API's text form. */
export function requirementText({ key, operator, values }: SelectorRequirement): string {
  switch (operator) {
    case "In":
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join()})`;
    case "NotIn":
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join()})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    case "Gt":
      return `${key}>${values[0]}`;
    case "Lt":
      return `${key}<${values[0]}`;
  }
}
