import { isRecord, showJson } from "@kubeloop/controller/internal/base";
import type { PlanFault } from "./plan_fault.ts";

/** A check of a field, and what it expects. */
interface Field {
  readonly expects: string;
  isValid(value: unknown): boolean;
}

const isName = (value: unknown) => typeof value === "string" && value !== "";
/** Reports whether a value is a whole number of at least 0. */
export function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const NAME: Field = { expects: "a text", isValid: isName };
const STEP: Field = { expects: "the index of a step", isValid: isWhole };
const YES_OR_NO: Field = { expects: "true or false", isValid: (it) => typeof it === "boolean" };
const MS: Field = {
  expects: "a time in milliseconds",
  isValid: (it) => typeof it === "number" && it >= 0 && it < Infinity,
};
const SKEW: Field = { expects: "a time in milliseconds", isValid: Number.isFinite };
const TIMES: Field = {
  expects: "a whole number of at least 1",
  isValid: (it) => it === undefined || (isWhole(it) && it !== 0),
};

const CHANGES: Field = {
  expects: 'a list of changes, as in [{ "path": ["spec", "size"], "from": 1, "to": 2 }]',
  isValid: (it) => Array.isArray(it) && it.length > 0 && it.every(isChange),
};

function isChange(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { from: _, path, to: __, ...rest } = value;
  return Object.keys(rest).length === 0 && Array.isArray(path) && path.length > 1 &&
    path.every((name) => isName(name) && name !== "__proto__");
}

function oneOf(...values: readonly unknown[]): Field {
  return { expects: values.map(showJson).join(" or "), isValid: (it) => values.includes(it) };
}

type Fields<F> = { readonly [K in keyof Omit<F, "fault">]-?: Field };

/** The fields of each kind of fault. */
const FAULTS: { readonly [K in PlanFault["fault"]]: Fields<Extract<PlanFault, { fault: K }>> } = {
  crash: { when: oneOf("before", "after"), write: NAME },
  lose: { write: NAME },
  answer: { code: oneOf(403, 409, 429, 500, 504), write: NAME, times: TIMES },
  read: { code: oneOf(403, 410, 500, 504), read: NAME, times: TIMES },
  edit: { edit: oneOf("finalizer", "annotation", "label"), write: NAME },
  linger: { write: NAME, forMs: MS },
  hold: { process: NAME, scope: oneOf("watch", "kind"), event: NAME, forMs: MS },
  coalesce: { process: NAME, event: NAME },
  restart: { process: NAME, step: STEP },
  stale: { process: NAME, step: STEP, at: NAME, forMs: MS },
  stop: { write: NAME, graceMs: MS },
  outage: {
    how: oneOf("partition", "slow", "unauthorized", "webhook"),
    write: NAME,
    forMs: MS,
  },
  definition: {
    how: oneOf("unserved", "unconverted"),
    resource: NAME,
    write: { expects: "a text", isValid: (it) => it === undefined || isName(it) },
    forMs: MS,
  },
  skew: { process: NAME, ms: SKEW },
  pause: { write: NAME, forMs: MS },
  revert: { step: STEP, when: NAME },
  repeat: { step: STEP, settled: YES_OR_NO },
  skip: { step: STEP },
  bad: { step: STEP },
  change: { step: STEP, set: CHANGES },
  shortcut: {},
  order: {},
  shuffle: {},
  late: {},
  server: { how: oneOf("restart", "compact"), write: NAME },
};

/**
 * Requires that a value is a fault of a plan.
 *
 * @throws {SyntaxError} If its kind is unknown, or if a field is missing, invalid or unknown.
 */
export function requireFault(fault: unknown): asserts fault is PlanFault {
  const kind = isRecord(fault) ? fault["fault"] : undefined;
  if (!isRecord(fault) || typeof kind !== "string" || !Object.hasOwn(FAULTS, kind)) {
    throw new SyntaxError(`Unknown fault in a plan: ${showJson(fault)}`);
  }
  const fields: Readonly<Record<string, Field>> = FAULTS[kind as PlanFault["fault"]];
  for (const [name, { expects, isValid }] of Object.entries(fields)) {
    if (isValid(fault[name])) continue;
    throw new SyntaxError(
      `A fault in a plan has a wrong field: ${name} must be ${expects} in ${showJson(fault)}`,
    );
  }
  for (const name of Object.keys(fault)) {
    if (name === "fault" || Object.hasOwn(fields, name)) continue;
    throw new SyntaxError(`A fault in a plan has an unknown field: ${name} in ${showJson(fault)}`);
  }
}
