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

const PARTS = ["major", "minor", "patch"];

/** Parses a version as blang/semver does; returns it or the error. */
function parse(text: string): SemverValue | string {
  if (text === "") return "Version string empty";
  const dots = text.split(".");
  if (dots.length < 3) return "No Major.Minor.Patch elements found";
  const plus = text.indexOf("+");
  const head = plus < 0 ? text : text.slice(0, plus);
  const builds = plus < 0 ? [] : text.slice(plus + 1).split(".");
  const dash = head.indexOf("-");
  const core = dash < 0 ? head : head.slice(0, dash);
  const pre = dash < 0 ? [] : head.slice(dash + 1).split(".");
  const [major = "", minor = "", ...rest] = core.split(".");
  const numbers = [major, minor, rest.join(".")];
  for (const [index, number] of numbers.entries()) {
    const name = PARTS[index]!;
    if (!/^\d*$/.test(number)) {
      return `Invalid character(s) found in ${name} number ${quote(number)}`;
    }
    if (number.length > 1 && number.startsWith("0")) {
      const shown = name[0]!.toUpperCase() + name.slice(1);
      return `${shown} number must not contain leading zeroes ${quote(number)}`;
    }
    if (number === "") return `strconv.ParseUint: parsing "": invalid syntax`;
  }
  for (const part of pre) {
    if (part === "") return "Prerelease is empty";
    if (/^\d+$/.test(part) && part.length > 1 && part.startsWith("0")) {
      return `Numeric PreRelease version must not contain leading zeroes ${quote(part)}`;
    }
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return `Invalid character(s) found in prerelease ${quote(part)}`;
    }
  }
  for (const build of builds) {
    if (build === "") return "Build meta data is empty";
    if (!/^[0-9A-Za-z-]+$/.test(build)) {
      return `Invalid character(s) found in build meta data ${quote(build)}`;
    }
  }
  return new SemverValue(numbers.map(BigInt) as [bigint, bigint, bigint], pre, text);
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
