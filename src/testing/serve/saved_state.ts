import { rmSync } from "node:fs";
import {
  type Clock,
  describeError,
  type Logger,
  toError,
} from "@kubeloop/controller/internal/base";
import type { ServerState, ServerWrite } from "../api_server/mod.ts";
import { type FileOperations, LogFile, machineFiles, syncFolder } from "./log_file.ts";
import { reservationJson, writeJson } from "./log_records.ts";
import { logPath, recoverState } from "./recover_state.ts";
import { writeState } from "./state_file.ts";
import { StateLock } from "./state_lock.ts";

/** How many resource versions are reserved at a time. Each reservation waits for the disk. */
const RESERVED = 10_000;

/** The least size at which the log is replaced by a snapshot. */
const SNAPSHOT_AFTER_BYTES = 16 * 1024 * 1024;

/** The API server, as far as its state is concerned. */
export interface StatefulServer {
  /** Returns everything that the server holds now. */
  state(): ServerState;
  /** Calls `journal` before each write is committed; see `ApiServer.beforeWrite`. */
  beforeWrite(journal: (write: ServerWrite) => void): () => void;
}

/** Options of a {@linkcode SavedState}. */
export interface SavedStateOptions {
  readonly logger: Logger;
  /** The clock of the lock. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Stops {@linkcode SavedState.open}. */
  readonly signal?: AbortSignal | undefined;
  /** Whether each write is on the disk before its response. Default: false, it is with the operating system. */
  readonly fsync?: boolean | undefined;
  /** The size, in bytes, at which the log is replaced by a snapshot. Default: that of the state, at least 16 MiB. */
  readonly snapshotAfterBytes?: number | undefined;
  /** The operations on files. Default: the operations of `node:fs`. */
  readonly files?: FileOperations | undefined;
}

/**
 * The state of a server in files: a snapshot, and a log of the writes since then.
 *
 * Guarantees: an acknowledged write is read again after the end of the process, whatever has ended it; with `fsync`, also
 * after the end of the machine. A resource version that a client can have seen is never used again. Only one server at a
 * time uses the files.
 *
 * The snapshot is written to a new file, which then replaces the old one. Meanwhile the log continues in its next file. A
 * file of the log is deleted when a snapshot contains all its writes.
 */
export class SavedState {
  /** The state in the files; undefined if there is none yet. */
  readonly restored: ServerState | undefined;
  readonly #path: string;
  readonly #options: SavedStateOptions;
  readonly #files: FileOperations;
  readonly #lock: StateLock;
  #server: StatefulServer | undefined;
  #log: LogFile | undefined;
  /** The number of the current file of the log. */
  #number: number;
  /** The number of the oldest file of the log. */
  #oldest: number;
  /** The resource versions up to this one may be used. */
  #reserved = 0;
  /** The size of the log at which the next snapshot is written. */
  #nextSnapshot: number;
  #writing: Promise<void> | undefined;

  private constructor(
    path: string,
    lock: StateLock,
    { state, last, oldest }: Awaited<ReturnType<typeof recoverState>>,
    options: SavedStateOptions,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.restored = state;
    this.#number = last;
    this.#oldest = oldest;
    this.#options = options;
    this.#files = options.files ?? machineFiles;
    this.#nextSnapshot = options.snapshotAfterBytes ?? SNAPSHOT_AFTER_BYTES;
  }

  /**
   * Reads the state, and keeps other servers from its files.
   *
   * @throws {SyntaxError} If the files are damaged; they are not changed.
   * @throws {Error} If another server uses them.
   * @throws `signal.reason`, if it aborts.
   */
  static async open(path: string, options: SavedStateOptions): Promise<SavedState> {
    const { clock, logger, signal } = options;
    const lockPath = `${path}.lock`;
    const lock = await StateLock.take(lockPath, {
      clock,
      signal,
      onWait: (waitMs) =>
        logger.warn(
          `waiting up to ${waitMs / 1000} s: if ${lockPath} does not change, its server is gone`,
        ),
    });
    try {
      return new SavedState(path, lock, await recoverState(path), options);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Records the writes of `server` from now on. Resolves when its state is in the snapshot, so that a file that cannot be
   * written is an error at start.
   */
  async keep(server: StatefulServer): Promise<void> {
    this.#server = server;
    const state = this.#startLog(server);
    server.beforeWrite((write) => this.#append(write));
    await this.#writeSnapshot(state, this.#number);
  }

  /**
   * Stops recording, and replaces the log by a last snapshot: later writes of the server fail.
   *
   * @throws The error of that snapshot. Nothing is lost then: the log stays.
   */
  async close(): Promise<void> {
    try {
      this.#log?.close();
      await this.#writing;
      if (this.#server !== undefined) await this.#writeSnapshot(this.#server.state(), undefined);
    } finally {
      this.#lock.release();
    }
  }

  #append(write: ServerWrite): void {
    this.#lock.require();
    if (this.#log!.bytes > this.#nextSnapshot && this.#writing === undefined) this.#nextLog();
    const log = this.#log!;
    const revision = Number(write.resourceVersion);
    // Some versions are used up without a write.
    if (revision + RESERVED / 10 > this.#reserved) {
      log.append(reservationJson(revision + RESERVED));
      log.sync();
      this.#reserved = revision + RESERVED;
    }
    log.append(writeJson(write, write.type === "DELETED" ? "null" : write.text));
    if (this.#options.fsync) log.sync();
  }

  /** Starts the next file of the log. Returns the state before its first write. */
  #startLog(server: StatefulServer): ServerState {
    const state = server.state();
    const number = this.#number + 1;
    const path = logPath(this.#path, number);
    const log = new LogFile(path, this.#files);
    const reserved = Number(state.resourceVersion) + RESERVED;
    try {
      log.append(reservationJson(reserved));
      log.sync();
    } catch (error) {
      log.close();
      rmSync(path, { force: true });
      throw error;
    }
    syncFolder(path);
    this.#log = log;
    this.#number = number;
    this.#reserved = reserved;
    return state;
  }

  /** Continues the log in another file, and replaces the files so far by a snapshot. */
  #nextLog(): void {
    const before = this.#log!;
    // Only the last file of a log may end with part of a record.
    before.sync();
    let state: ServerState;
    try {
      state = this.#startLog(this.#server!);
    } catch (error) {
      this.#postpone(before, error);
      return;
    }
    before.close();
    const number = this.#number;
    this.#writing = this.#writeSnapshot(state, number)
      .catch((error) => this.#postpone(this.#log!, error))
      .finally(() => this.#writing = undefined);
  }

  /** Tries the next snapshot later. The log has everything until then. */
  #postpone(log: LogFile, error: unknown): void {
    this.#options.logger.error("Cannot write a snapshot of the state", toError(error));
    this.#nextSnapshot += log.bytes;
  }

  /**
   * Writes a snapshot, and deletes the files of the log that it replaces.
   *
   * @param first The number of the first file of the log that continues from the snapshot, or undefined without one.
   */
  async #writeSnapshot(state: ServerState, first: number | undefined): Promise<void> {
    let written: number;
    this.#lock.require(true);
    try {
      written = await writeState(this.#path, state, first);
    } catch (error) {
      const why = describeError(error);
      throw new Error(`Cannot write the state ${this.#path}: ${why}`, { cause: error });
    }
    syncFolder(this.#path);
    this.#nextSnapshot = this.#options.snapshotAfterBytes ??
      Math.max(SNAPSHOT_AFTER_BYTES, written);
    const end = first ?? this.#number + 1;
    for (; this.#oldest < end; this.#oldest++) {
      rmSync(logPath(this.#path, this.#oldest), { force: true });
    }
  }
}
