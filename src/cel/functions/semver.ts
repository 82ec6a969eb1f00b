import { quote } from "../../values/mod.ts";
import { SEMVER } from "../types/mod.ts";
import { CelError, type Opaque } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

/** A semantic version. */
class SemverValue implements Opaque {
  readonly opaque = SEMVER;
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
  readonly text: string;

  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly string[], text: string) {
    this.numbers = numbers;
    this.pre = pre;
    this.text = text;
  }

  equals(other: Opaque): boolean {
    return other instanceof SemverValue && compare(this, other) === 0n;
  }

  toString(): string {
    return this.text;
  }
}

const NUMBER = "(0|[1-9][0-9]*)";
const IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Parses a version; returns it or the error. */
function parse(text: string): SemverValue | string {
  const [, major, minor, patch, pre] = VERSION.exec(text) ?? [];
  if (major === undefined) return `Invalid semantic version ${quote(text)}`;
  const numbers = [BigInt(major), BigInt(minor!), BigInt(patch!)] as const;
  return new SemverValue(numbers, pre?.split(".") ?? [], text);
}

/** Adds what a short version lacks, and removes a `v` and leading zeros. */
function normalize(text: string): string {
  const parts = text.replace(/^v/, "").split(".");
  const fixed = parts.slice(0, 2).concat(parts.length > 2 ? parts.slice(2).join(".") : [])
    .map((part) => part.length > 1 ? part.replace(/^0+/, "").replace(/^(?=[.eE+-]|$)/, "0") : part);
  if (fixed.length < 3) {
    if (/[+-]/.test(fixed[fixed.length - 1] ?? "")) return fixed.join(".");
    while (fixed.length < 3) fixed.push("0");
  }
  return fixed.join(".");
}

function read(text: string, normalized = false): SemverValue | string {
  return parse(normalized ? normalize(text) : text);
}

function toSemver(text: string, normalized?: boolean): SemverValue {
  const version = read(text, normalized);
  if (typeof version === "string") throw new CelError(version);
  return version;
}

function comparePre(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left !== right) return left ? -1 : 1;
  if (left) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function compare(a: SemverValue, b: SemverValue): bigint {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) {
      return a.numbers[index] < b.numbers[index] ? -1n : 1n;
    }
  }
  if (a.pre.length === 0 || b.pre.length === 0) {
    return BigInt(Math.sign(b.pre.length - a.pre.length));
  }
  for (let index = 0; index < Math.min(a.pre.length, b.pre.length); index++) {
    const order = comparePre(a.pre[index]!, b.pre[index]!);
    if (order !== 0) return BigInt(order);
  }
  return BigInt(Math.sign(a.pre.length - b.pre.length));
}

const number = (index: 0 | 1 | 2) => ({ numbers }: SemverValue) => numbers[index];

/** The functions of semantic versions. */
export const SEMVERS: readonly Overload[] = [
  define("semver", "string_to_semver", "string -> Semver", toSemver),
  define("semver", "string_bool_to_semver", "string, bool -> Semver", toSemver),
  define(
    "isSemver",
    "is_semver_string",
    "string -> bool",
    (text: string) => typeof read(text) !== "string",
  ),
  define(
    "isSemver",
    "is_semver_string_bool",
    "string, bool -> bool",
    (text: string, normalized: boolean) => typeof read(text, normalized) !== "string",
  ),
  define(
    "isGreaterThan",
    "semver_is_greater_than",
    "Semver.Semver -> bool",
    (a: SemverValue, b: SemverValue) => compare(a, b) > 0n,
  ),
  define(
    "isLessThan",
    "semver_is_less_than",
    "Semver.Semver -> bool",
    (a: SemverValue, b: SemverValue) => compare(a, b) < 0n,
  ),
  define("compareTo", "semver_compare_to", "Semver.Semver -> int", compare),
  define("major", "semver_major", "Semver. -> int", number(0)),
  define("minor", "semver_minor", "Semver. -> int", number(1)),
  define("patch", "semver_patch", "Semver. -> int", number(2)),
];
