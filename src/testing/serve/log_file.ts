import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { describeError } from "@kubeloop/controller/internal/base";
import { encodeRecord } from "./log_records.ts";

/** The maximum size of a file of the log: more is never read again. */
export const LOG_BYTES_MAX: number = 1024 * 1024 * 1024;

/** The operations of `node:fs` that a {@linkcode LogFile} uses. */
export interface FileOperations {
  readonly open: (path: string) => number;
  readonly write: (file: number, bytes: Uint8Array, at: number) => number;
  readonly truncate: (file: number, length: number) => void;
  readonly sync: (file: number) => void;
  readonly close: (file: number) => void;
}

/** The files of the machine. */
export const machineFiles: FileOperations = {
  // "wx" fails if the name exists, and does not follow a link.
  open: (path) => openSync(path, "wx", 0o600),
  write: (file, bytes, at) => writeSync(file, bytes, 0, bytes.length, at),
  truncate: ftruncateSync,
  sync: fsyncSync,
  close: closeSync,
};

/**
 * A file to which records are appended. Each is handed to the operating system before `append()` returns, so that it
 * survives the end of the process.
 */
export class LogFile {
  readonly #path: string;
  readonly #files: FileOperations;
  readonly #file: number;
  #bytes = 0;
  /** Why nothing can be appended any more. */
  #broken: string | undefined;

  /** Creates the file. It must not exist. */
  constructor(path: string, files: FileOperations) {
    this.#path = path;
    this.#files = files;
    this.#file = files.open(path);
  }

  /** The size of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends a record, or nothing if that fails.
   *
   * @throws {Error} If the record cannot be written. The message names the file.
   */
  append(json: string): void {
    if (this.#broken !== undefined) throw this.#cannotWrite(this.#broken);
    const line = encodeRecord(json);
    if (this.#bytes + line.length > LOG_BYTES_MAX) {
      throw this.#cannotWrite(`the file would be longer than ${LOG_BYTES_MAX} bytes`);
    }
    try {
      for (let done = 0; done < line.length;) {
        done += this.#files.write(this.#file, line.subarray(done), this.#bytes + done);
      }
    } catch (error) {
      this.#takeBack();
      throw this.#cannotWrite(error);
    }
    this.#bytes += line.length;
  }

  /**
   * Waits until what was appended is on the disk.
   *
   * @throws {Error} If that fails. The content of the disk is unknown then, so every later call fails too.
   */
  sync(): void {
    if (this.#broken !== undefined) throw this.#cannotWrite(this.#broken);
    try {
      this.#files.sync(this.#file);
    } catch (error) {
      this.#broken = `an earlier write has not reached the disk: ${describeError(error)}`;
      throw this.#cannotWrite(error);
    }
  }

  /** Closes the file. */
  close(): void {
    this.#broken = "the server stops";
    this.#files.close(this.#file);
  }

  /** Removes the part of a record that was written. */
  #takeBack(): void {
    try {
      this.#files.truncate(this.#file, this.#bytes);
    } catch (error) {
      this.#broken = `it ends with part of a record, which cannot be removed: ${
        describeError(error)
      }`;
    }
  }

  #cannotWrite(why: unknown): Error {
    return new Error(`Cannot write the log ${this.#path}: ${describeError(why)}`, { cause: why });
  }
}

/** Makes the names of new and renamed files in the folder of `path` reach the disk, where that is possible. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(dirname(path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows has no such call, and does without it.
  }
}
