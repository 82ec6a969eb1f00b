import {
  describeValue,
  isRecord,
  parseJson,
  parseQuantity,
} from "@kubeloop/controller/internal/base";
import { type Cached, parseSelector, type Pod } from "@kubeloop/controller/types";
import type { PodLife } from "./pod_life.ts";

/** The annotation of a Pod with a life, or a list of lives, as JSON. */
const LIFE = "kubeloop.dev/life";

/** Checks a value. `path` names it in the error. */
type Check = (value: unknown, path: string) => void;

/**
 * Returns the checked rules.
 *
 * @param lives The rules, perhaps from a file.
 * @param path The name of the list in errors.
 * @throws {TypeError} If a field is unknown, is missing or has another type. The message names the field.
 * @throws {RangeError} If a number is out of its range.
 * @throws {SyntaxError} If a selector is not valid.
 */
export function requireLives(lives: unknown, path: string = "lives"): readonly PodLife[] {
  LIVES(lives, path);
  return lives as readonly PodLife[];
}

/**
 * Returns the lives in the annotation `kubeloop.dev/life` of a Pod; none without it.
 *
 * @throws {TypeError | RangeError | SyntaxError} If they are not valid. The message names the field.
 */
export function annotatedLives({ metadata }: Cached<Pod>): readonly PodLife[] {
  const text = metadata.annotations?.[LIFE];
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new SyntaxError(`${LIFE} must be JSON: ${(error as Error).message}`, { cause: error });
  }
  return Array.isArray(value) ? requireLives(value, LIFE) : requireLives([value], LIFE);
}

const text: Check = (value, path) => {
  if (typeof value !== "string") throw wrong(path, "a text", value);
};

const selector: Check = (value, path) => {
  text(value, path);
  try {
    parseSelector(value as string);
  } catch (error) {
    throw new SyntaxError(`${path}: ${(error as Error).message}`, { cause: error });
  }
};

const quantity: Check = (value, path) => {
  if (typeof value === "string" && parseQuantity(value) !== undefined) return;
  throw wrong(path, "a quantity such as 100m or 64Mi", value);
};

/** Returns the check of a number from `min` to `max`. */
function number(what: string, min: number, max: number = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) => {
    if (typeof value === "number" && value >= min && value <= max) return;
    const error = typeof value === "number" ? RangeError : TypeError;
    throw new error(`${path} must be ${what}: received ${describeValue(value)}`);
  };
}

/** Returns the check of a whole number from `min` to `max`. */
function wholeNumber(what: string, min: number, max: number): Check {
  const inRange = number(what, min, max);
  return (value, path) => {
    inRange(value, path);
    if (!Number.isInteger(value)) throw wrong(path, "a whole number", value);
  };
}

const time = number("a number of milliseconds", 0);
const pause = number("at least 1 ms", 1);
const endlessTime: Check = (value, path) => {
  if (value !== Infinity) time(value, path);
};

const exitCode = wholeNumber("an exit code from 0 to 255", 0, 255);
const port = wholeNumber("a port from 1 to 65535", 1, 65_535);

const times: Check = (value, path) => {
  if (value === "always" || value === Infinity) return;
  number('a number of runs, or "always"', 1)(value, path);
};

function list(item: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, "a list", value);
    value.forEach((one, index) => item(one, `${path}[${index}]`));
  };
}

function fields(
  known: Readonly<Record<string, Check>>,
  { required = [] }: { readonly required?: readonly string[] } = {},
): Check {
  return (value, path) => {
    if (!isRecord(value)) throw wrong(path, "an object", value);
    for (const name of required) {
      if (value[name] === undefined) throw new TypeError(`${path}.${name} is missing`);
    }
    for (const [name, one] of Object.entries(value)) {
      if (!Object.hasOwn(known, name)) {
        throw new TypeError(
          `${path}.${name} is unknown: expected one of ${Object.keys(known).join(", ")}`,
        );
      }
      if (one !== undefined) known[name]!(one, `${path}.${name}`);
    }
  };
}

function wrong(path: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${path} must be ${expected}: received ${describeValue(value)}`);
}

const failures = list(fields({ fromMs: time, untilMs: endlessTime }));

const LIVES = list(fields({
  selector,
  namespace: text,
  name: text,
  owner: text,
  image: text,
  container: text,
  startAfterMs: time,
  readyAfterMs: time,
  stopAfterMs: time,
  exits: list(
    fields({ afterMs: time, exitCode, times, reason: text }, { required: ["afterMs", "exitCode"] }),
  ),
  logs: list(fields({ text, afterMs: time, everyMs: pause }, { required: ["text"] })),
  probes: fields({ startup: failures, readiness: failures, liveness: failures }),
  stuck: fields({ reason: text, message: text }, { required: ["reason"] }),
  exec: list(fields({ command: text, stdout: text, stderr: text, exitCode, afterMs: time })),
  ports: list(
    fields({ port, status: number("a status code from 200 to 599", 200, 599), body: text }, {
      required: ["port"],
    }),
  ),
  usage: fields({ cpu: quantity, memory: quantity }, { required: ["cpu", "memory"] }),
}));
