import { type Expr, Issues, parse, Uint, type Value } from "@kubeloop/controller/internal/cel";
import { byteLength, internalError, quote } from "../../values/mod.ts";
import type { Release } from "../release/mod.ts";

/** A parsed shard selector: it selects the objects whose field has a hash in one of its ranges. */
export interface ShardSelector {
  /** The selector as answers repeat it. */
  readonly text: string;
  /** Reports whether an object matches. */
  matches(object: ShardedFields): boolean;
}

/** The fields whose hash a selector may compare. */
interface ShardedFields {
  readonly uid: string;
  readonly namespace: string;
}

/** The hashes from `start` up to, but not including, `end`; both as in the selector. */
interface ShardRange {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

const GATE = "ShardedListAndWatch";

const FIELDS: ReadonlyMap<string, keyof ShardedFields> = new Map([
  ["object.metadata.uid", "uid"],
  ["object.metadata.namespace", "namespace"],
]);

const encoder = new TextEncoder();

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** The only range end with 17 digits: 2^64. */
const LAST_END = "0x10000000000000000";

/** The numbers of the kinds of expressions, as messages show them. */
const EXPRESSION_KINDS = {
  call: 1,
  fold: 2,
  ident: 3,
  list: 4,
  literal: 5,
  map: 6,
  select: 7,
  message: 8,
} as const;

/**
 * Parses the `shardSelector` of a request, as in
 * `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`; several ranges are joined by `||`.
 * Returns undefined if the text is empty or the feature gate is off.
 *
 * @throws {ApiError} 500, as in a real server, if it is not a valid selector.
 */
export function parseShardSelector(text: string, release: Release): ShardSelector | undefined {
  if (text === "" || !release.isOn(GATE)) return undefined;
  const ranges = parseRanges(text.trim());
  const { field } = ranges[0]!;
  const other = ranges.find((range) => range.field !== field);
  if (other !== undefined) {
    throw invalid(
      `all shard ranges must use the same field, got ${quote(field)} and ${quote(other.field)}`,
    );
  }
  const name = FIELDS.get(field)!;
  const bounds = ranges.map(({ start, end }) => ({ start: BigInt(start), end: BigInt(end) }));
  return {
    text: ranges.map((range) => `shardRange(${field}, '${range.start}', '${range.end}')`)
      .join(" || "),
    matches: (object) => {
      const hash = hashOf(object[name]);
      return bounds.some(({ start, end }) => start <= hash && hash < end);
    },
  };
}

/** Returns the 64-bit FNV-1a hash of a text. */
function hashOf(text: string): bigint {
  let hash = FNV_OFFSET;
  for (const byte of encoder.encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash;
}

function parseRanges(text: string): ShardRange[] {
  if (text === "") {
    throw invalid(
      "empty shard selector is not allowed; omit the parameter for unfiltered lists",
    );
  }
  const issues = new Issues(text);
  const expr = parse(text, issues, "none");
  if (expr === undefined) throw invalid(`CEL parse error: ${issues.first}`);
  return rangesOf(expr);
}

function rangesOf(expr: Expr): ShardRange[] {
  if (expr.kind !== "call") {
    throw invalid(
      `unexpected expression kind ${kindOf(expr)}; expected shardRange() call or || operator`,
    );
  }
  const { name, args } = expr;
  if (name === "_||_") return args.flatMap(rangesOf);
  if (name === "shardRange") return [rangeOf(args)];
  throw invalid(`unsupported function ${quote(name)}; only shardRange() and || are allowed`);
}

function rangeOf(args: readonly Expr[]): ShardRange {
  const [path, first, last] = args;
  if (args.length !== 3 || path === undefined || first === undefined || last === undefined) {
    throw invalid(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  }
  const field = pathOf(path);
  if (!FIELDS.has(field)) {
    const known = [...FIELDS.keys()].join(", ");
    throw invalid(`unsupported field path ${quote(field)}; supported: ${known}`);
  }
  const start = boundOf(first, "hexStart");
  const end = boundOf(last, "hexEnd");
  if (BigInt(start) >= BigInt(end)) {
    throw invalid(`shard range start ${start} must be less than end ${end}`);
  }
  return { field, start, end };
}

function pathOf(expr: Expr): string {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind === "select") return `${pathOf(expr.operand)}.${expr.field}`;
  throw invalid(
    `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${
      kindOf(expr)
    }`,
  );
}

/** Returns a bound in its only form: `0x` and 16 digits, or 2^64. */
function boundOf(expr: Expr, name: string): string {
  if (expr.kind !== "literal") {
    throw invalid(
      `${name} must be a string literal (e.g. '0xff'), got expression kind ${kindOf(expr)}`,
    );
  }
  const { value } = expr;
  if (typeof value !== "string") {
    throw invalid(`${name} must be a string literal, got ${goType(value)}`);
  }
  if (!value.startsWith("0x")) {
    throw invalid(`${name} must have '0x' prefix, got ${quote(value)}`);
  }
  const digits = value.slice(2);
  if (digits === "") throw invalid(`${name}: hex value is required after '0x'`);
  const length = byteLength(digits);
  if (length > 17) {
    throw invalid(`${name}: hex value too long (${length} chars, max 17): ${quote(digits)}`);
  }
  const wrong = [...digits].find((digit) => !/^[0-9a-f]$/.test(digit));
  if (wrong !== undefined) {
    throw invalid(`${name}: invalid hex character ${quote(wrong)} in ${quote(value)}`);
  }
  if (length === 17 && value !== LAST_END) {
    throw invalid(
      `${name}: 17-digit hex value must be '${LAST_END}' (2^64), got ${quote(value)}`,
    );
  }
  if (length < 16) {
    const padded = `0x${digits.padStart(16, "0")}`;
    throw invalid(
      `${name} must be a 0x-prefixed 16-digit hex value, got ${quote(value)} (did you mean ${
        quote(padded)
      }?)`,
    );
  }
  return value;
}

function kindOf({ kind }: Expr): number {
  return EXPRESSION_KINDS[kind];
}

/** Returns the name of the Go type of a constant. */
function goType(value: Value): string {
  if (value === null) return "structpb.NullValue";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return "float64";
  if (value instanceof Uint) return "uint64";
  return typeof value === "boolean" ? "bool" : "[]uint8";
}

function invalid(message: string): Error {
  return internalError(`invalid shard selector: ${message}`);
}
