import { chmod, link, lstat, mkdir, open, realpath, symlink, unlink } from "node:fs/promises";
import type { Client } from "../client/mod.ts";
import { CopyCount, splitPath, tarFailed } from "./container_tar.ts";
import type { ContainerPath, CopyOptions, CopyResult } from "./copy_options.ts";
import type { TarHeader } from "./tar_format.ts";
import { readTar, type TarEntry } from "./tar_reader.ts";

/** The directories and links that are remembered until the end, at most. */
const MAX_ENTRIES = 1_000_000;

/** Receives a file or directory from `tar` in a container. */
export async function copyFromContainer(
  client: Client,
  from: ContainerPath,
  to: string,
  { onProgress, ...limits }: CopyOptions,
): Promise<CopyResult> {
  const { directory, name } = splitPath(from.path);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reader = readable.getReader();
  const extraction = new Extraction(to, name, onProgress);
  // An error of the extraction ends the command, which writes to this stream, and is the error of the copy.
  let broken: { readonly error: unknown } | undefined;
  const extracting = extraction.run(chunksOf(reader)).catch(async (error) => {
    broken = { error };
    await reader.cancel(error).catch(() => {});
    throw error;
  });
  extracting.catch(() => {});
  // "./" keeps a name that begins with a dash from being an option.
  const command = ["tar", "cf", "-", "-C", directory, name === "." ? "." : `./${name}`];
  try {
    const { exitCode, stderr } = await client.exec(from.pod, command, {
      ...limits,
      namespace: from.namespace,
      container: from.container,
      stdout: writable,
    });
    if (exitCode !== 0) throw tarFailed(from, exitCode, stderr);
    await writable.close().catch(() => {});
  } catch (thrown) {
    const error = broken === undefined ? thrown : broken.error;
    await writable.abort(error).catch(() => {});
    // No file is written any more.
    await extracting.catch(() => {});
    throw error;
  }
  await extracting;
  const { bytes, files, skipped } = extraction.count;
  return { files, bytes, skipped };
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Writes the entries of an archive below one path, and nothing outside of it. */
class Extraction {
  readonly count = new CopyCount();
  readonly #to: string;
  readonly #name: string;
  readonly #onProgress: CopyOptions["onProgress"];
  /** The links, which are made when nothing is written any more: nothing is ever written through a link. */
  readonly #links: { readonly parts: readonly string[]; readonly target: string }[] = [];
  /** The directories and their modes, which may forbid to write into them. */
  readonly #modes = new Map<string, number>();
  #root = "";

  constructor(to: string, name: string, onProgress: CopyOptions["onProgress"]) {
    this.#to = to;
    this.#name = name;
    this.#onProgress = onProgress;
  }

  /** Writes all entries. */
  async run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const entry of readTar(chunks)) {
      await this.#entry(entry);
      if (this.#links.length + this.#modes.size > MAX_ENTRIES) {
        throw new Error(`The archive has more than ${MAX_ENTRIES} directories and links`);
      }
    }
    for (const { parts, target } of this.#links) await symlink(target, await this.#vacant(parts));
    // The deepest first, because a directory may forbid to enter it.
    for (const [path, mode] of [...this.#modes].reverse()) await chmod(path, mode);
  }

  async #entry({ header, content }: TarEntry): Promise<void> {
    const parts = this.#partsOf(header.path);
    switch (header.type) {
      case "directory":
        return await this.#directory(parts, header.mode);
      case "file":
        return await this.#file(parts, header, content);
      case "symlink":
        if (parts.length > 0 && staysInside(parts, header.target)) {
          this.#links.push({ parts, target: header.target });
        } else this.count.skip(shownPath(parts));
        return;
      case "hardlink":
        return await this.#hardLink(parts, header);
      default:
        this.count.skip(shownPath(parts));
    }
  }

  /**
   * Returns the parts of a path below the destination.
   *
   * @throws {Error} If the path leads out of it.
   */
  #partsOf(path: string): string[] {
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    const isOutside = path.startsWith("/") || parts.includes("..") ||
      parts.some((part) => part.includes("\\") || part.includes("\0"));
    const first = this.#name === "." ? undefined : parts.shift();
    if (!isOutside && (this.#name === "." || first === this.#name)) return parts;
    throw new Error(
      `The archive of the container tries to write outside of the destination: ${
        JSON.stringify(path.slice(0, 200))
      }`,
    );
  }

  async #directory(parts: readonly string[], mode: number): Promise<void> {
    const path = await this.#parentOf([...parts, ""]);
    this.#modes.set(path, mode & 0o777);
  }

  async #file(
    parts: readonly string[],
    { mode, size }: TarHeader,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const path = await this.#vacant(parts);
    const shown = shownPath(parts);
    const file = await open(path, "w", 0o600);
    this.count.files++;
    this.#report(shown);
    let isComplete = false;
    try {
      let written = 0;
      for await (const chunk of content) {
        for (let at = 0; at < chunk.length;) {
          at += (await file.write(chunk, at, chunk.length - at)).bytesWritten;
        }
        written += chunk.length;
        this.count.bytes += chunk.length;
        this.#report(shown);
      }
      isComplete = written === size;
    } finally {
      await file.close();
      if (!isComplete) await unlink(path).catch(() => {});
    }
    await chmod(path, mode & 0o777);
  }

  async #hardLink(parts: readonly string[], { target }: TarHeader): Promise<void> {
    const source = await this.#parentOf(this.#partsOf(target));
    const found = await lstat(source);
    // A link to a link would be one that nobody has checked.
    if (!found.isFile()) return this.count.skip(shownPath(parts));
    await link(source, await this.#vacant(parts));
    this.count.files++;
  }

  /** Returns the path for something new, from which a file or a link was removed. */
  async #vacant(parts: readonly string[]): Promise<string> {
    const path = await this.#parentOf(parts);
    const found = await existing(path);
    if (found?.isDirectory()) throw new Error(`Cannot replace the directory ${path} by a file`);
    if (found !== undefined) await unlink(path);
    return path;
  }

  /** Returns the path of `parts`, after its parent was created. No part of it is a link. */
  async #parentOf(parts: readonly string[]): Promise<string> {
    if (parts.length === 0) return this.#to;
    if (this.#root === "") {
      // Whoever gives the destination may give a link.
      await mkdir(this.#to).catch((error) => {
        if (error?.code !== "EEXIST") throw error;
      });
      this.#root = await realpath(this.#to);
      if (!(await lstat(this.#root)).isDirectory()) {
        throw new Error(`Cannot copy a directory to ${this.#to}, which is a file`);
      }
    }
    let path = this.#root;
    for (const part of parts.slice(0, -1)) {
      path += `/${part}`;
      const found = await existing(path);
      if (found === undefined) await mkdir(path);
      else if (!found.isDirectory()) {
        throw new Error(`Cannot write through ${path}, which is not a directory`);
      }
    }
    const last = parts.at(-1)!;
    return last === "" ? path : `${path}/${last}`;
  }

  #report(path: string): void {
    const { bytes, files } = this.count;
    this.#onProgress?.({ path, bytes, files });
  }
}

/** Reports whether a link stays inside: it goes up only first, and not above the destination. */
function staysInside(parts: readonly string[], target: string): boolean {
  if (target === "" || target.startsWith("/") || /[\\\0]/.test(target)) return false;
  const steps = target.split("/").filter((part) => part !== "" && part !== ".");
  const ups = steps.findIndex((part) => part !== "..");
  const up = ups < 0 ? steps.length : ups;
  return up <= parts.length - 1 && !steps.slice(up).includes("..");
}

function shownPath(parts: readonly string[]): string {
  return parts.length === 0 ? "." : parts.join("/");
}

async function existing(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
