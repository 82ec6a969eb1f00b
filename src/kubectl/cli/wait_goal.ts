import {
  complete,
  condition,
  deleted,
  rolledOut,
  type Verdict,
  type WaitPredicate,
} from "@kubeloop/controller/client";
import { describeValue, own, visibleText } from "@kubeloop/controller/internal/base";
import type { KubeObject, Stored } from "@kubeloop/controller/types";
import { UsageError } from "./exits.ts";
import {
  evaluateJsonPath,
  type JsonPath,
  JsonPathSyntaxError,
  parseJsonPath,
} from "./json_path/mod.ts";

/** The maximum length of a shown value, in characters. */
const MAX_SHOWN = 200;

/** The goal of `kubeloop wait`. */
export interface Goal {
  /**
   * Returns the predicate of one object.
   *
   * @param uid The UID of the object when the wait begins; undefined if unknown.
   */
  readonly predicateOf: (uid: string | undefined) => WaitPredicate;
  /** The description of the goal, such as `is rolled out`. */
  readonly reached: string;
  /** Whether the goal is deletion, which is already reached if the object does not exist. */
  readonly isDeletion: boolean;
}

/**
 * Parses the value of `--for`: the forms of kubectl, and `rollout` and `complete`.
 *
 * @throws {UsageError} If it is missing or malformed.
 */
export function goalOf(what: string | undefined): Goal {
  const [name = "", rest] = splitOnce(what ?? "", "=");
  if (name === "condition" && rest !== undefined) return conditionGoal(rest);
  if (name === "jsonpath" && rest !== undefined) return jsonPathGoal(rest);
  const goal = own(GOALS, name.toLowerCase()) as Goal | undefined;
  if (goal !== undefined && rest === undefined) return goal;
  throw new UsageError(
    "--for takes rollout, complete, delete, create, condition=TYPE[=STATUS] or jsonpath=PATH[=VALUE]",
  );
}

const STATUSES = ["True", "False", "Unknown"] as const;

const exists: WaitPredicate = Object.assign(
  (object: unknown) => object !== undefined || "it does not exist",
  { unmet: "was not created" },
);

const GOALS: Readonly<Record<string, Goal | undefined>> = {
  rollout: goal(rolledOut, "is rolled out"),
  complete: goal(complete, "is complete"),
  delete: { predicateOf: deleted, reached: "is deleted", isDeletion: true },
  create: goal(exists, "exists"),
};

function goal(predicate: WaitPredicate, reached: string): Goal {
  return { predicateOf: () => predicate, reached, isDeletion: false };
}

function conditionGoal(text: string): Goal {
  const [type, status = "true"] = splitOnce(text, "=");
  const wanted = STATUSES.find((one) => one.toLowerCase() === status.toLowerCase());
  if (type === "" || wanted === undefined) {
    throw new UsageError(
      "--for condition=TYPE=STATUS takes a type, and the status True, False or Unknown",
    );
  }
  return goal(condition(type, wanted), `has the condition ${type}=${wanted}`);
}

/** Removes all quotes around a text. */
function withoutQuotes(text: string): string {
  const isQuote = (at: number) => text[at] === "'" || text[at] === '"';
  let start = 0;
  let end = text.length;
  while (start < end && isQuote(start)) start++;
  while (end > start && isQuote(end - 1)) end--;
  return text.slice(start, end);
}

function jsonPathGoal(text: string): Goal {
  const [expression, given] = splitPath(text);
  const value = given === undefined ? undefined : withoutQuotes(given);
  if (value === "") {
    throw new UsageError(
      "--for jsonpath=PATH= lacks its value: give one, or leave the equals sign out to wait until there is any",
    );
  }
  let path: JsonPath;
  try {
    path = parseJsonPath(expression);
  } catch (error) {
    if (!(error instanceof JsonPathSyntaxError)) throw error;
    throw new UsageError(`--for jsonpath=${visibleText(expression, MAX_SHOWN)}: ${error.message}`);
  }
  const shown = value === undefined ? expression : `${expression}=${value}`;
  const predicate = Object.assign(
    (object: Stored<KubeObject> | undefined) => judgePath(path, object, value),
    { unmet: `did not have ${shown}` },
  );
  return goal(predicate, `has ${shown}`);
}

/** Splits at the equals sign after the expression, not at comparisons within it. */
function splitPath(text: string): readonly [string, string | undefined] {
  if (!text.startsWith("{")) {
    const at = [...text.matchAll(/==|=/g)].find(([sign]) => sign === "=")?.index;
    return at === undefined ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  }
  const end = text.indexOf("}") + 1;
  const [expression, rest] = [text.slice(0, end), text.slice(end)];
  if (rest === "") return [expression, undefined];
  if (end > 0 && rest.startsWith("=")) return [expression, rest.slice(1)];
  throw new UsageError(
    "--for jsonpath takes one expression, as in jsonpath={.status.phase}=Running",
  );
}

/**
 * Compares the value of a path in an object with the expected value, as kubectl does.
 *
 * @throws {Error} If the path selects several values, or if the value to compare is an object or an array.
 */
function judgePath(
  path: JsonPath,
  object: Stored<KubeObject> | undefined,
  wanted: string | undefined,
): Verdict {
  if (object === undefined) return "it does not exist";
  const values = evaluateJsonPath(path, object);
  if (values.length === 0) return "it has no value there";
  if (values.length > 1) {
    throw new Error(`the JSONPath selects ${values.length} values: it must select one`);
  }
  if (wanted === undefined) return true;
  const [value] = values;
  if (typeof value === "object" && value !== null) {
    throw new Error(
      `the JSONPath selects ${
        describeValue(value)
      }: a value must be a text, a number, true or false`,
    );
  }
  const text = textOf(value);
  return text.trim() === wanted.trim() || `its value there is ${visibleText(text, MAX_SHOWN)}`;
}

/** Formats a value like Go, because kubectl compares formatted values. */
function textOf(value: unknown): string {
  if (value === null) return "<nil>";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = parseInt(exponent, 10);
  // Go writes numbers below 1e-4 and from 1e6 on with an exponent of at least two digits.
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
