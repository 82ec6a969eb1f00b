import {
  type Clock,
  delay,
  parseJson,
  realClock,
  type Timer,
} from "@kubeloop/controller/internal/base";
import { randomBytes } from "node:crypto";
import {
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

/** How often a lock is tried to take over that others take over or release at the same time. */
const TRIES = 10;
/** The interval at which the holder of a lock touches its file. */
const BEAT_MS = 2000;
/** The time after which a lock whose file was not touched is taken over. */
const SILENT_MS = 10_000;
/** The interval at which the file is looked at meanwhile. */
const LOOK_MS = 500;

/** The locks that this process holds, by their text. */
const own = new Set<string>();

/** Whether this runtime has locks that the operating system releases when a process ends. */
const hasFileLocks = "Deno" in globalThis;

/** Options of {@linkcode StateLock.take}. */
export interface StateLockOptions {
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Stops the wait for a sign of life of another server. */
  readonly signal?: AbortSignal | undefined;
  /** Called before such a wait. */
  readonly onWait?: ((waitMs: number) => void) | undefined;
}

/**
 * A file that exists while a server uses a saved state. Its holder touches it every two seconds.
 *
 * A lock whose process is known to be gone is taken over at once: on Deno the operating system releases a lock on the
 * file, and elsewhere the process ID is gone. A process ID says nothing about a process in another container or on another
 * machine. There, and where in doubt, the lock is taken over if its file is not touched for ten seconds.
 *
 * A holder that was suspended for that long finds out before its next write.
 */
export class StateLock {
  readonly #path: string;
  readonly #text: string;
  readonly #guard: Disposable;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #touchedMs = 0;
  #isLost = false;

  private constructor(path: string, text: string, guard: Disposable, clock: Clock) {
    this.#path = path;
    this.#text = text;
    this.#guard = guard;
    this.#clock = clock;
    own.add(text);
    this.#beat();
  }

  /**
   * Takes the lock.
   *
   * @throws {Error} If another server holds it, or if it cannot be written.
   * @throws `signal.reason`, if it aborts.
   */
  static async take(path: string, options: StateLockOptions = {}): Promise<StateLock> {
    const { clock = realClock } = options;
    const id = randomBytes(12).toString("hex");
    const by = hasFileLocks ? "file lock" : "process";
    const text = `${JSON.stringify({ pid: process.pid, by, id, host: hostOfProcesses() })}\n`;
    // The lock appears with its text, and locked: a link of it is made.
    const partial = `${path}.partial-${id}`;
    try {
      writeFileSync(partial, text, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new Error(
        `Cannot create ${path}: its folder does not exist: create it, or choose another file`,
      );
    }
    let guard: Disposable | undefined;
    try {
      guard = lockFile(partial) ?? { [Symbol.dispose]() {} };
      for (let tries = 0; tries < TRIES; tries++) {
        if (linked(partial, path)) {
          const lock = new StateLock(path, text, guard, clock);
          guard = undefined;
          return lock;
        }
        const present = readLock(path);
        if (present === undefined) continue;
        const known = holderOf(path, present.text);
        const holder = known === "unknown"
          ? await watchBeats(path, present, { ...options, clock })
          : known;
        if (holder === "alive") throw inUse(path, present.text);
        if (holder === "gone") putAside(path, present);
      }
      throw new Error(`Cannot take the lock ${path}: others take it and release it all the time`);
    } finally {
      guard?.[Symbol.dispose]();
      rmSync(partial, { force: true });
    }
  }

  /**
   * Checks that no other server has taken the lock over. Looks at the file only if it was not touched in time, unless
   * `look` is true.
   *
   * @throws {Error} If another server has.
   */
  require(look: boolean = false): void {
    if (look || this.#clock.now() - this.#touchedMs >= SILENT_MS / 2) this.#touch();
    if (!this.#isLost) return;
    throw new Error(
      `Another server has taken the state over, as ${this.#path} says: this process did not run for a while; restart it`,
    );
  }

  /** Releases the lock. */
  release(): void {
    this.#timer?.cancel();
    own.delete(this.#text);
    if (readLock(this.#path)?.text === this.#text) rmSync(this.#path, { force: true });
    this.#guard[Symbol.dispose]();
  }

  #beat(): void {
    this.#touch();
    if (!this.#isLost) this.#timer = this.#clock.setTimer(() => this.#beat(), BEAT_MS);
  }

  #touch(): void {
    const now = this.#clock.now();
    try {
      if (this.#isLost || readLock(this.#path)?.text !== this.#text) throw new Error("lost");
      const wall = new Date(this.#clock.wallNow());
      utimesSync(this.#path, wall, wall);
      this.#touchedMs = now;
    } catch {
      // Also if the folder is gone: nothing is written there any more.
      this.#isLost = true;
    }
  }
}

/** A lock as it was found. */
interface PresentLock {
  readonly text: string;
  /** When its file was touched. */
  readonly touchedMs: number;
}

/** Returns whether the holder of a lock shows a sign of life in time, or whether the lock has changed meanwhile. */
async function watchBeats(
  path: string,
  before: PresentLock,
  { clock, onWait, signal }: StateLockOptions & { readonly clock: Clock },
): Promise<"alive" | "gone" | "changed"> {
  onWait?.(SILENT_MS);
  const untilMs = clock.now() + SILENT_MS;
  while (clock.now() < untilMs) {
    await delay(LOOK_MS, { clock, signal });
    const present = readLock(path);
    if (present?.text !== before.text) return "changed";
    if (present.touchedMs !== before.touchedMs) return "alive";
  }
  return "gone";
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

/** Reads a lock; returns undefined if there is none. */
function readLock(path: string): PresentLock | undefined {
  try {
    // A link or a pipe of that name is not ours.
    const stats = lstatSync(path);
    if (!stats.isFile()) throw new Error(`Cannot take the lock ${path}: it is not a file`);
    return { text: readFileSync(path, "utf8"), touchedMs: stats.mtimeMs };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns whether the process that holds a lock lives, as far as this process can tell. */
function holderOf(path: string, text: string): "alive" | "gone" | "unknown" {
  if (own.has(text)) return "alive";
  const { by, host, pid } = parse(text);
  if (hasFileLocks) {
    const guard = lockFile(path);
    if (guard === undefined) return "alive";
    guard[Symbol.dispose]();
    if (by === "file lock") return "gone";
  }
  if (pid === undefined) return "gone";
  if (host === undefined || host !== hostOfProcesses()) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return "gone";
  }
  // The process may be another one, with the same ID.
  return "unknown";
}

/**
 * Returns the name of the processes among which a process ID is unique: the boot and the namespace on Linux, where
 * containers have their own, and the machine elsewhere. Undefined if that is not known.
 */
function hostOfProcesses(): string | undefined {
  // Deno has file locks, and asks the user for a permission.
  if (hasFileLocks) return undefined;
  if (process.platform !== "linux") return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

/** Removes a lock whose process is gone, unless another server has just taken it over, or its holder has touched it. */
function putAside(path: string, { text, touchedMs }: PresentLock): void {
  const aside = `${path}.partial-${randomBytes(12).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  const present = readLock(aside);
  if (present?.text !== text || present.touchedMs !== touchedMs) linked(aside, path);
  rmSync(aside, { force: true });
}

function inUse(path: string, text: string): Error {
  const { pid } = parse(text);
  const who = pid === process.pid ? "this process or one in another container" : `process ${pid}`;
  return new Error(
    `The state is in use by ${who}, as ${path} says: stop that server, or choose another file`,
  );
}

/** The text of a lock. */
interface LockText {
  readonly pid?: number;
  readonly by?: unknown;
  readonly host?: unknown;
}

function parse(text: string): LockText {
  try {
    const { pid, by, host } = parseJson(text) as { readonly pid: number } & LockText;
    return { ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}), by, host };
  } catch {
    return {};
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
