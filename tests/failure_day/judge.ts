import { describeError, visibleText } from "../../src/base/mod.ts";
import { Stopped, TOKEN } from "./day.ts";
import type { Outcome } from "./live.ts";
import type { Row } from "./row.ts";

/** The longest line and the longest message, in characters: 10,000 of a server, and what the library says about them. */
const MAX_LENGTH = 10_300;

/** The expectations of a column for every row. */
export interface Expected {
  /** The expected error of a subject that fails. If omitted, no subject may fail. */
  readonly error?: RegExp | ((error: unknown) => boolean) | undefined;
  /** How many lines of the levels `warn` and `error` may be logged. Default 1. */
  readonly maxLines?: number | undefined;
  /** Whether it may wait for ever for a user's function, if a line says so: the pattern of the line. */
  readonly waits?: RegExp | undefined;
  /** The pattern that each line must match. */
  readonly line?: RegExp | undefined;
  /** When it must have ended at the latest, in milliseconds since the start of the day. */
  readonly byMs?: number | undefined;
  /** Whether a subject that runs need not do its work. Default false. */
  readonly hasNoWork?: boolean | undefined;
  /** Whether the error need not be an Error: what a user's function throws is passed on. Default false. */
  readonly anyThrown?: boolean | undefined;
  /** Whether a result need not be normal. Default false. */
  readonly anyResult?: boolean | undefined;
  /** Whether a lease may be left, which others can take when it expires: it could not be given back. Default false. */
  readonly mayHoldLease?: boolean | undefined;
  /** Whether a rejection may stay unhandled. Default: none may. */
  readonly unhandled?: ((reason: unknown) => boolean) | undefined;
}

/** Returns what is wrong with an outcome, in words. */
export function wrongIn(outcome: Outcome, row: Row, expected: Expected): string[] {
  const { end, endedMs, left, lines, unhandled, wasDone, abnormal } = outcome;
  const { error, maxLines = 1, line, byMs, hasNoWork, anyResult } = expected;
  const wrong: string[] = [];
  if (end.is === "pending") {
    if (expected.waits === undefined) wrong.push("it has not ended within its limit");
    else if (!lines.some((one) => expected.waits?.test(one) === true)) {
      wrong.push("no line says what it waits for");
    }
  } else if (byMs !== undefined && endedMs > byMs) {
    wrong.push(`it has ended ${endedMs - byMs} ms too late`);
  }
  const isStopped = row.isDone !== undefined && end.is === "rejected" &&
    end.error instanceof Stopped;
  if (end.is === "rejected" && !isStopped) {
    const isRight = typeof error === "function"
      ? error(end.error)
      : error?.test(describeError(end.error)) === true;
    if (!isRight) wrong.push(`it has failed: ${inWords(end.error)}`);
    if (end.error instanceof Error) wrong.push(...hidden(end.error));
    else if (expected.anyThrown !== true) {
      wrong.push(`it has thrown no Error: ${inWords(end.error)}`);
    }
  }
  if (end.is === "resolved" || isStopped) {
    if (row.isDone !== undefined && !wasDone && hasNoWork !== true) {
      wrong.push("it has not done its work");
    } else if (abnormal !== undefined && anyResult !== true && hasNoWork !== true) {
      wrong.push(`the result is wrong: ${inWords(abnormal)}`);
    }
  }
  for (const one of left) {
    if (expected.mayHoldLease === true && one.startsWith("the lease ")) continue;
    if (end.is === "pending" && expected.waits !== undefined) continue;
    wrong.push(`left open: ${one}`);
  }
  for (const reason of unhandled) {
    if (expected.unhandled?.(reason) !== true) {
      wrong.push(`nobody handles a rejection: ${inWords(reason)}`);
    }
  }
  if (lines.length > maxLines) {
    wrong.push(`${lines.length} lines: ${lines.slice(0, 4).join(" | ")}`);
  }
  for (const one of outcome.allLines) wrong.push(...unfit("a line", one));
  for (const one of lines) {
    if (line !== undefined && !line.test(one)) wrong.push(`a line does not name the cause: ${one}`);
  }
  return wrong;
}

/** Returns what people must not see in the messages of an error and its causes. */
function hidden(error: Error): string[] {
  const wrong: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    wrong.push(...unfit("the message", current.message));
    current = current.cause;
  }
  return wrong;
}

function unfit(what: string, text: string): string[] {
  const wrong: string[] = [];
  if (text.includes(TOKEN)) wrong.push(`${what} has the token: ${short(text)}`);
  if (text.length > MAX_LENGTH) {
    wrong.push(`${what} has ${text.length} characters: ${short(text)}`);
  }
  if (visibleText(text, Infinity) !== text) wrong.push(`${what} is not visible: ${short(text)}`);
  return wrong;
}

function short(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}

function inWords(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return short(`${name}: ${describeError(error)}`);
}
