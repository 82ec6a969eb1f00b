import { parseJson } from "@kubeloop/controller/internal/base";
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import process from "node:process";

/** How often a lock is tried to take over that others take over or release at the same time. */
const TRIES = 10;

/** The locks that this process holds, by their text. */
const own = new Set<string>();

/** Whether this runtime has locks that the operating system releases when a process ends. */
const hasFileLocks = "Deno" in globalThis;

/**
 * A file that exists while a server uses a saved state. That of a process which is gone is taken over.
 *
 * On Deno, the operating system tells whether the process is gone, by a lock on the file. On other runtimes, its process
 * ID does.
 */
export class StateLock {
  readonly #path: string;
  readonly #text: string;
  readonly #guard: Disposable;

  private constructor(path: string, text: string, guard: Disposable) {
    this.#path = path;
    this.#text = text;
    this.#guard = guard;
  }

  /**
   * Takes the lock.
   *
   * @throws {Error} If another server holds it, or if it cannot be written.
   */
  static take(path: string): StateLock {
    const id = randomBytes(12).toString("hex");
    const by = hasFileLocks ? "file lock" : "process";
    const text = `${JSON.stringify({ pid: process.pid, by, id })}\n`;
    // The lock appears with its text, and locked: a link of it is made.
    const partial = `${path}.partial-${id}`;
    writeFileSync(partial, text, { flag: "wx", mode: 0o600 });
    let guard: Disposable | undefined;
    try {
      guard = lockFile(partial) ?? { [Symbol.dispose]() {} };
      for (let tries = 0; tries < TRIES; tries++) {
        if (linked(partial, path)) {
          own.add(text);
          const lock = new StateLock(path, text, guard);
          guard = undefined;
          return lock;
        }
        const present = readLock(path);
        if (present === undefined) continue;
        if (isHeld(path, present)) throw inUse(path, present);
        putAside(path, present);
      }
      throw new Error(`Cannot take the lock ${path}: others take it and release it all the time`);
    } finally {
      guard?.[Symbol.dispose]();
      rmSync(partial, { force: true });
    }
  }

  /** Releases the lock. */
  release(): void {
    own.delete(this.#text);
    if (readLock(this.#path) === this.#text) rmSync(this.#path, { force: true });
    this.#guard[Symbol.dispose]();
  }
}

/** Locks a file until it is closed; returns undefined if the runtime cannot, or if another one has locked the file. */
function lockFile(path: string): Disposable | undefined {
  if (!hasFileLocks) return undefined;
  const file = Deno.openSync(path, { read: true, write: true });
  let locked = false;
  try {
    locked = file.tryLockSync(true);
  } finally {
    if (!locked) file.close();
  }
  return locked ? { [Symbol.dispose]: () => file.close() } : undefined;
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Returns the text of a lock; undefined if there is none. */
function readLock(path: string): string | undefined {
  try {
    // A link or a pipe of that name is not ours.
    if (!lstatSync(path).isFile()) throw new Error(`Cannot take the lock ${path}: it is no file`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isHeld(path: string, text: string): boolean {
  if (own.has(text)) return true;
  const { pid, by } = parse(text);
  if (hasFileLocks) {
    const guard = lockFile(path);
    if (guard === undefined) return true;
    guard[Symbol.dispose]();
    if (by === "file lock") return false;
  }
  // A container often has the same process IDs after each start.
  if (pid === undefined || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive. Without a permission to ask, it may be.
    return codeOf(error) !== "ESRCH";
  }
}

/** Removes a lock whose process is gone, unless another server has just taken it over. */
function putAside(path: string, text: string): void {
  const aside = `${path}.partial-${randomBytes(12).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if (readLock(aside) !== text) linked(aside, path);
  rmSync(aside, { force: true });
}

function inUse(path: string, text: string): Error {
  const { pid } = parse(text);
  const who = pid === process.pid ? "this process" : `process ${pid}`;
  return new Error(
    `The state is in use by ${who}, as ${path} says: stop that server, or choose another file; ` +
      `if that process is no server, delete ${path}`,
  );
}

function parse(text: string): { readonly pid?: number; readonly by?: unknown } {
  try {
    const { pid, by } = parseJson(text) as { readonly pid: number; readonly by: unknown };
    return { ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}), by };
  } catch {
    return {};
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
