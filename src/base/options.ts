import { closestName } from "./closest_name.ts";
import { describeValue } from "./describe_value.ts";
import type { CacheEnvironment } from "./environment.ts";
import { requireFunctions, requireMethods } from "./functions.ts";
import { isPlain, isRecord } from "./json.ts";
import { requireCount, requireDelay, requireTimeLimit } from "./numbers.ts";

/** More names than these are not listed in an error. */
const MAX_LISTED = 20;

/**
 * Checks the value of one option.
 *
 * @param name The name of the option, for the message.
 * @param value The value, which is not undefined.
 * @throws {TypeError | RangeError} When the value cannot be used. The message names the option.
 */
export type OptionCheck = (name: string, value: unknown) => void;

/**
 * The checks of an options bag, one for each option: the compiler refuses a table that lacks a name of the interface.
 *
 * @typeParam O The interface of the options.
 */
export type OptionChecks<O extends object> = { readonly [K in keyof O]-?: OptionCheck };

/**
 * Checks an options bag: that it is an object, that it has no unknown option, and each option that is set. Plain JavaScript
 * can pass anything, and an option with a typing error would be ignored silently otherwise. The names of an instance of a
 * class are not checked, because it may have members of its own.
 *
 * @typeParam O The interface of the options.
 * @param what The name of the function or class that takes the options, for messages.
 * @param options The options.
 * @param checks The checks by the names of the options.
 * @throws {TypeError} When `options` is not an object, or has an option that does not exist.
 * @throws {TypeError | RangeError} When an option cannot be used.
 */
export function requireOptions<O extends object>(
  what: string,
  options: unknown,
  checks: OptionChecks<O>,
): asserts options is O {
  if (!isRecord(options)) {
    throw new TypeError(
      `${what} takes an object with options: received ${describeValue(options)}`,
    );
  }
  const known: Readonly<Record<string, OptionCheck>> = checks;
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    if (Object.hasOwn(known, name)) known[name]?.(name, value);
    else if (isPlain(options)) throw unknownOption(what, name, Object.keys(known));
  }
}

function unknownOption(what: string, name: string, known: readonly string[]): TypeError {
  const meant = closestName(name, known);
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  if (meant !== undefined) {
    return new TypeError(`${what} has no option ${shown}: did you mean "${meant}"?`);
  }
  const listed = known.slice(0, MAX_LISTED).join(", ");
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : "";
  return new TypeError(`${what} has no option ${shown}: it takes ${listed}${more}`);
}

/** Accepts every value: another part checks the option. */
export const checkedElsewhere: OptionCheck = (): void => {};

/** Checks an option that is a text, which may be empty. */
export const isText: OptionCheck = (name, value): void => {
  if (typeof value === "string") return;
  throw new TypeError(`${name} must be a text: received ${describeValue(value)}`);
};

/** Checks an option that is a text of at least one character. */
export const isName: OptionCheck = (name, value): void => {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(`${name} must be a text that is not empty: received ${describeValue(value)}`);
};

/** Checks an option that is true or false. */
export const isFlag: OptionCheck = (name, value): void => {
  if (typeof value === "boolean") return;
  throw new TypeError(`${name} must be true or false: received ${describeValue(value)}`);
};

/** Checks an option that is a function. */
export const isFunction: OptionCheck = (name, value): void => requireFunctions({ [name]: value });

/** Checks an option that is an array. */
export const isList: OptionCheck = (name, value): void => {
  if (Array.isArray(value)) return;
  throw new TypeError(`${name} must be an array: received ${describeValue(value)}`);
};

/** Checks an option that is an object, whose fields another part checks. */
export const isObject: OptionCheck = (name, value): void => {
  if (isRecord(value)) return;
  throw new TypeError(`${name} must be an object: received ${describeValue(value)}`);
};

/** Checks an option that is an AbortSignal. */
export const isSignal: OptionCheck = (name, value): void => {
  requireMethods(`${name} to be an AbortSignal`, value, "addEventListener", "throwIfAborted");
};

/** Checks an option that is a delay or a period in milliseconds, of at least 0. */
export const isDelay: OptionCheck = (name, value): void => requireDelay(name, value as number);

/** Checks an option that is a time limit in milliseconds above 0; `Infinity` means no limit. */
export const isTimeLimit: OptionCheck = (name, value): void =>
  requireTimeLimit(name, value as number);

/** Returns a check of an option that is a whole number of at least `least`. */
export function isCount(least: number): OptionCheck {
  return (name, value) => requireCount(name, value as number, least);
}

/** Returns a check of an option that is one of a few texts. */
export function isOneOf(...values: readonly string[]): OptionCheck {
  return (name, value) => {
    if (typeof value === "string" && values.includes(value)) return;
    const expected = values.map((one) => JSON.stringify(one)).join(", ");
    throw new TypeError(`${name} must be one of ${expected}: received ${describeValue(value)}`);
  };
}

/** Returns a check of an option that is an object with methods, such as a clock. */
export function hasMethods(what: string, ...methods: readonly string[]): OptionCheck {
  return (_name, value) => requireMethods(what, value, ...methods);
}

/** The checks of the options that every component with an {@linkcode Environment} takes. */
export const ENVIRONMENT_CHECKS: OptionChecks<CacheEnvironment> = {
  clock: hasMethods("a clock", "now", "wallNow", "setTimer"),
  random: hasMethods("a source of randomness", "next"),
  logger: hasMethods("a logger, such as console", "debug", "info", "warn", "error"),
  metrics: hasMethods("a provider of metrics", "counter", "gauge", "histogram"),
  freezeObjects: isFlag,
};
