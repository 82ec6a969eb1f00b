import { describeValue } from "./describe_value.ts";
import { isPlain, setOwn } from "./json.ts";
import { visibleText } from "./visible_text.ts";

/** The maximum length of all texts after one log line, in characters. */
const MAX_LENGTH = 10_000;
/** The maximum length of one of these texts, in characters. */
const MAX_TEXT_LENGTH = 2_000;
/** The maximum length of the name of an error or a field, and of a frame of a stack, in characters. */
const MAX_NAME_LENGTH = 300;
/** The maximum number of values after one log line, with those inside of objects and errors. */
const MAX_VALUES = 1_000;
/** The maximum depth of objects and of causes. It also ends cycles. */
const MAX_DEPTH = 8;
/** The maximum number of frames of one stack. */
const MAX_FRAMES = 30;
/** Replaces a value that is left out. */
const LEFT_OUT = "…";

/** A frame of a stack: of Deno, Node and Bun, and of the browsers Firefox and Safari. */
const FRAME = /^ +at |^[\w$.<>/*]*@[a-z]+:\/\//;

/** The copies that are safe already, so that a logger behind another one does not cut them again. */
const copies = new WeakSet<object>();

/**
 * Returns the arguments after a log line, safe to print: loggers and consoles print the message and the stack of an
 * error unchanged, and these contain text of a server or of another tenant. So all texts become visible text of
 * bounded length ({@linkcode visibleText}), also those inside of errors, arrays and plain objects.
 *
 * What is safe already is returned unchanged. Otherwise an error is replaced by a copy of the same class with the same
 * fields, so that `instanceof`, `StatusError.is()` and `cause` work; the copy has no private fields.
 *
 * @param args The arguments.
 * @param redact Applied to each text before.
 */
export function safeArguments(
  args: readonly unknown[],
  redact: (text: string) => string,
): unknown[] {
  const cleaner = new Cleaner(redact);
  return args.map((arg) => cleaner.value(arg, 0));
}

/** Reports whether `value` is an error, also of another realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** Cleans the arguments of one log line, which share a bound on their length. */
class Cleaner {
  readonly #redact: (text: string) => string;
  #lengthLeft = MAX_LENGTH;
  #valuesLeft = MAX_VALUES;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(value, MAX_TEXT_LENGTH);
    if (typeof value !== "object" || value === null || copies.has(value)) return value;
    if (depth >= MAX_DEPTH || --this.#valuesLeft < 0) return LEFT_OUT;
    try {
      if (isError(value)) return this.#error(value, depth);
      if (Array.isArray(value)) return this.#list(value, depth);
      return isPlain(value) ? this.#record(value as Record<string, unknown>, depth) : value;
    } catch {
      // A getter or a proxy has thrown.
      return "(a value that cannot be read)";
    }
  }

  #text(text: string, maxLength: number): string {
    if (--this.#valuesLeft < 0 || this.#lengthLeft <= 0) return LEFT_OUT;
    const shown = visibleText(this.#redact(text), Math.min(maxLength, this.#lengthLeft));
    this.#lengthLeft -= shown.length;
    return shown;
  }

  #list(list: readonly unknown[], depth: number): readonly unknown[] {
    const safe: unknown[] = [];
    for (const item of list) {
      const isFull = this.#valuesLeft <= 0;
      safe.push(isFull ? LEFT_OUT : this.value(item, depth + 1));
      if (isFull) break;
    }
    return safe.length === list.length && safe.every((item, index) => item === list[index])
      ? list
      : safe;
  }

  #record(record: Record<string, unknown>, depth: number): Record<string, unknown> {
    const safe = Object.create(Object.getPrototypeOf(record)) as Record<string, unknown>;
    let isChanged = false;
    for (const key of Object.keys(record)) {
      if (this.#valuesLeft <= 0) {
        isChanged = true;
        break;
      }
      const name = visibleText(key, MAX_NAME_LENGTH);
      const before = record[key];
      const value = this.value(before, depth + 1);
      isChanged ||= name !== key || value !== before;
      setOwn(safe, name, value);
    }
    return isChanged ? safe : record;
  }

  #error(error: Error, depth: number): Error {
    const name = this.#text(String(error.name), MAX_NAME_LENGTH);
    const message = this.#text(String(error.message), MAX_TEXT_LENGTH);
    const stack = this.#stack(error, name, message);
    let isChanged = name !== error.name || message !== error.message || stack !== error.stack;
    const fields: PropertyDescriptorMap = {};
    for (const key of Reflect.ownKeys(error)) {
      if (key === "name" || key === "message" || key === "stack") continue;
      if (this.#valuesLeft <= 0) break;
      const field = Object.getOwnPropertyDescriptor(error, key) as PropertyDescriptor;
      // The value of a getter is not printed.
      const value = "value" in field ? this.value(field.value, depth + 1) : undefined;
      isChanged ||= "value" in field && value !== field.value;
      fields[key as string] = "value" in field ? { ...field, value } : field;
    }
    return isChanged ? copyOf(error, { name, message, stack }, fields) : error;
  }

  /** Returns the stack with the safe message, and of what follows only the frames. */
  #stack(error: Error, name: string, message: string): string | undefined {
    const { stack } = error;
    if (typeof stack !== "string") return undefined;
    this.#lengthLeft -= message.length;
    const raw = String(error.message);
    // The header of a stack is older than the fields of the class, which may have set another name.
    const at = raw === "" ? stack.search(/\n|$/) : stack.indexOf(`: ${raw}`);
    const start = at < 0 ? name : visibleText(stack.slice(0, at), MAX_NAME_LENGTH);
    // The stack has the original message: a message that was replaced later is not in it.
    const rest = raw === "" || at < 0 ? stack : stack.slice(at + 2 + raw.length);
    const frames = rest.split("\n").filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
    const lines = frames.map((line) => this.#text(line, MAX_NAME_LENGTH));
    return [message === "" ? start : `${start}: ${message}`, ...lines].join("\n");
  }
}

/** Returns an error of the same class with these texts and fields. */
function copyOf(
  error: Error,
  { name, message, stack }: { name: string; message: string; stack: string | undefined },
  fields: PropertyDescriptorMap,
): Error {
  // A DOMException has its texts in slots, or under symbols (Deno), which only its constructor fills.
  const copy = typeof DOMException === "function" && error instanceof DOMException
    ? new DOMException(message, name)
    : Object.setPrototypeOf(new Error(message), Object.getPrototypeOf(error)) as Error;
  for (const key of Object.getOwnPropertySymbols(copy)) delete fields[key];
  const texts = { name, message, stack };
  for (const key of ["name", "message", "stack"] as const) {
    const value = texts[key];
    if (copy[key] === value) continue;
    const field = Object.getOwnPropertyDescriptor(error, key);
    const enumerable = field?.enumerable ?? false;
    fields[key] = { value, enumerable, writable: true, configurable: true };
  }
  copies.add(copy);
  return Object.defineProperties(copy, fields);
}

/**
 * Returns an error as text that is safe to print: its stack, followed by the stacks of its causes and of the errors
 * that it collects.
 */
export function errorText(error: Error): string {
  return textOf(safeArguments([error], (text) => text)[0]);
}

function textOf(safe: unknown): string {
  if (!isError(safe)) return typeof safe === "string" ? safe : describeValue(safe);
  const { cause, errors } = safe as Error & { readonly errors?: unknown };
  const inner: [string, unknown][] = Array.isArray(errors)
    ? errors.map((one) => ["with", one])
    : [];
  if (cause !== undefined) inner.unshift(["caused by", cause]);
  return [
    safe.stack || `${safe.name}: ${safe.message}`,
    ...inner.map(([what, one]) => `  ${what}: ${textOf(one).replaceAll("\n", "\n  ")}`),
  ].join("\n");
}
