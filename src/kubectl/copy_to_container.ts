import { lstat, open, readdir, readlink, realpath, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { requireSync } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { CopyCount, splitPath, tarFailed } from "./container_tar.ts";
import type { ContainerPath, CopyOptions, CopyResult } from "./copy_options.ts";
import { BLOCK, encodeHeader, padding, type TarType } from "./tar_format.ts";

/** The number of bytes read from a file at once. */
const READ_BYTES = 64 * 1024;

/** Sends a file or directory to `tar` in a container. */
export async function copyToContainer(
  client: Client,
  from: string,
  to: ContainerPath,
  { onProgress, ...limits }: CopyOptions,
): Promise<CopyResult> {
  const { directory, name } = splitPath(to.path);
  const count = new CopyCount();
  const real = await realpath(from);
  // Fail on an unreadable path before any request.
  const isDirectory = (await stat(real)).isDirectory();
  if (name === "." && !isDirectory) {
    throw new TypeError(`Cannot copy a file to ${JSON.stringify(to.path)}: add the file's name`);
  }
  const archive = new Archive(count, onProgress);
  try {
    const { exitCode, stderr } = await client.exec(to.pod, ["tar", "xpof", "-", "-C", directory], {
      ...limits,
      namespace: to.namespace,
      container: to.container,
      stdin: archive.of(real, name),
    });
    if (exitCode !== 0) throw tarFailed(client, to, exitCode, stderr);
  } finally {
    // The end of the command stops the archive. Wait until its files are closed.
    await archive.ended;
  }
  return { files: count.files, bytes: count.bytes, skipped: count.skipped };
}

/** Writes an archive as a stream. */
class Archive {
  readonly #count: CopyCount;
  readonly #onProgress: CopyOptions["onProgress"];
  /** Resolves when the archive is complete or stopped; at once if it was not started. */
  ended: Promise<void> = Promise.resolve();

  constructor(count: CopyCount, onProgress: CopyOptions["onProgress"]) {
    this.#count = count;
    this.#onProgress = onProgress;
  }

  async *of(path: string, name: string): AsyncGenerator<Uint8Array> {
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    try {
      yield* this.#entry(path, name, ".");
      // The end: two blocks of zeros, padded to the twenty blocks that tar reads at once.
      yield new Uint8Array(20 * BLOCK);
    } finally {
      ended.resolve();
    }
  }

  async *#entry(path: string, name: string, shown: string): AsyncGenerator<Uint8Array> {
    const found = await lstat(path);
    if (found.isDirectory()) {
      yield encodeHeader({ ...headerOf(found, "directory"), path: `${name}/` });
      const names = (await readdir(path)).sort();
      for (const child of names) {
        yield* this.#entry(
          `${path}/${child}`,
          `${name}/${child}`,
          shown === "." ? child : `${shown}/${child}`,
        );
      }
    } else if (found.isSymbolicLink()) {
      yield encodeHeader({
        ...headerOf(found, "symlink"),
        path: name,
        target: await readlink(path),
      });
    } else if (found.isFile()) yield* this.#file(path, name, shown);
    else this.#count.skip(shown);
  }

  async *#file(path: string, name: string, shown: string): AsyncGenerator<Uint8Array> {
    const file = await open(path, "r");
    try {
      const found = await file.stat();
      const { size } = found;
      yield encodeHeader({ ...headerOf(found, "file"), path: name, size });
      this.#count.files++;
      this.#report(shown);
      for (let at = 0; at < size;) {
        const buffer = new Uint8Array(Math.min(READ_BYTES, size - at));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) {
          throw new Error(`${path} became shorter while it was read: ${at} of ${size} bytes`);
        }
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
        this.#count.bytes += bytesRead;
        this.#report(shown);
      }
      yield padding(size);
    } finally {
      await file.close();
    }
  }

  #report(path: string): void {
    const { bytes, files } = this.#count;
    requireSync("onProgress of copyTo()", this.#onProgress?.({ path, bytes, files }));
  }
}

function headerOf({ mode, mtimeMs }: Stats, type: TarType) {
  return { type, mode: mode & 0o777, mtime: mtimeMs / 1000, size: 0, target: "" };
}
