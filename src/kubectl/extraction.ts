import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  symlink,
  unlink,
} from "node:fs/promises";
import { dirname } from "node:path";
import { requireSync } from "@kubeloop/controller/internal/base";
import type { CopyCount } from "./container_tar.ts";
import type { CopyOptions } from "./copy_options.ts";
import type { TarHeader } from "./tar_format.ts";
import { readTar, type TarEntry } from "./tar_reader.ts";

/** The names of directories and links that are remembered until the end, in characters. */
const MAX_REMEMBERED = 128 * 1024 * 1024;

/** The names of files that are remembered for hard links, in characters. Links to later files are left out. */
const MAX_FILE_NAMES = 32 * 1024 * 1024;

/** What a name costs besides its characters. */
const NAME_COST = 64;

/** The parts of a path below the destination. */
type Parts = readonly string[];

/** Options of an {@linkcode Extraction}. */
export interface ExtractionOptions {
  /** The local path. */
  readonly to: string;
  /** The first part of all paths in the archive; `.` if they have no common one. */
  readonly name: string;
  readonly count: CopyCount;
  readonly onProgress: CopyOptions["onProgress"];
  /** Prepares a path, which the container chooses, for an error message. */
  readonly shown: (path: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive below one path, and nothing outside of it. Files that are there already are replaced
 * when their copy is complete; nothing else that is there already changes.
 */
export class Extraction {
  readonly #options: ExtractionOptions;
  /** The targets of the links, which are made when nothing else is written: nothing is ever written through a link. */
  readonly #links = new Map<string, { readonly parts: Parts; readonly target: string }>();
  /** The directories that the copy has made, and the modes they get in the end: a mode may forbid to write. */
  readonly #directories = new Map<string, number | undefined>();
  /** The files that the copy has made. A hard link to another file would change that. */
  readonly #files = new Set<string>();
  #remembered = 0;
  #fileNames = 0;
  #root = "";
  #temporaries = 0;

  constructor(options: ExtractionOptions) {
    this.#options = options;
  }

  /**
   * Writes all entries.
   *
   * @throws {Error} If an entry leads out of the destination, or is in the way of something.
   * @throws `signal.reason`, if the signal aborts.
   */
  async run(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { signal } = this.#options;
    for await (const entry of readTar(chunks)) {
      signal.throwIfAborted();
      await this.#entry(entry);
    }
    for (const { parts, target } of this.#links.values()) {
      signal.throwIfAborted();
      const path = await this.#replaceable(parts);
      await this.#replace(path, (temporary) => symlink(target, temporary));
    }
    // The deepest first, because a directory may forbid to enter it.
    for (const [path, mode] of [...this.#directories].reverse()) {
      signal.throwIfAborted();
      if (mode !== undefined) await chmod(path, mode);
    }
  }

  async #entry({ header, content }: TarEntry): Promise<void> {
    const parts = this.#partsOf(header.path);
    switch (header.type) {
      case "directory":
        return await this.#directory(parts, header.mode);
      case "file":
        return await this.#file(parts, header, content);
      case "symlink":
        return this.#symbolicLink(parts, header.target);
      case "hardlink":
        return await this.#hardLink(parts, header.target);
      default:
        this.#skip(parts);
    }
  }

  /**
   * Returns the parts of a path below the destination.
   *
   * @throws {Error} If the path leads out of it.
   */
  #partsOf(path: string): string[] {
    const { name, shown } = this.#options;
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    const isOutside = path.startsWith("/") || parts.includes("..") ||
      parts.some((part) => part.includes("\\") || part.includes("\0"));
    const first = name === "." ? undefined : parts.shift();
    if (!isOutside && (name === "." || first === name)) return parts;
    throw new Error(
      `The archive of the container tries to write outside of the destination: "${shown(path)}"`,
    );
  }

  async #directory(parts: Parts, mode: number): Promise<void> {
    const path = await this.#parentOf([...parts, ""]);
    // A directory that was there keeps its mode.
    if (this.#directories.has(path)) this.#directories.set(path, mode & 0o777);
  }

  async #file(
    parts: Parts,
    { mode, size }: TarHeader,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const { count } = this.#options;
    const path = await this.#replaceable(parts);
    const shown = shownPath(parts);
    count.files++;
    this.#report(shown);
    await this.#replace(path, async (temporary) => {
      const file = await open(temporary, "wx", 0o600);
      try {
        let written = 0;
        for await (const chunk of content) {
          for (let at = 0; at < chunk.length;) {
            at += (await file.write(chunk, at, chunk.length - at)).bytesWritten;
          }
          written += chunk.length;
          count.bytes += chunk.length;
          this.#report(shown);
        }
        if (written !== size) throw new Error("A file in the archive is incomplete");
      } finally {
        await file.close();
      }
      await chmod(temporary, mode & 0o777);
    });
    this.#links.delete(keyOf(parts));
    if (this.#fileNames < MAX_FILE_NAMES) {
      this.#fileNames += path.length + NAME_COST;
      this.#files.add(path);
    }
  }

  #symbolicLink(parts: Parts, target: string): void {
    if (parts.length === 0 || !staysInside(parts, target)) return this.#skip(parts);
    this.#remember(keyOf(parts) + target);
    this.#links.set(keyOf(parts), { parts, target });
  }

  async #hardLink(parts: Parts, target: string): Promise<void> {
    const sourceParts = this.#partsOf(target);
    const sourceLink = this.#links.get(keyOf(sourceParts));
    // The same link may lead elsewhere from another directory.
    if (sourceLink !== undefined) return this.#symbolicLink(parts, sourceLink.target);
    const source = await this.#parentOf(sourceParts);
    const path = await this.#replaceable(parts);
    if (source === path) return;
    if (!this.#files.has(source)) return this.#skip(parts);
    await this.#replace(path, (temporary) => link(source, temporary));
    this.#links.delete(keyOf(parts));
    this.#options.count.files++;
  }

  #skip(parts: Parts): void {
    this.#options.count.skip(shownPath(parts));
  }

  /**
   * Makes something beside a path, and moves it there once it is complete.
   *
   * @param make Makes it. The path that it gets does not exist.
   */
  async #replace(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = await this.#temporaryIn(dirname(path));
    try {
      await make(temporary);
      await rename(temporary, path);
    } finally {
      // After an error it is incomplete. After a success it is still there if both are links to one file.
      await unlink(temporary).catch(() => {});
    }
  }

  /** Returns a path in a directory that nothing has. */
  async #temporaryIn(directory: string): Promise<string> {
    while (true) {
      const path = `${directory}/.kubeloop-copy-${this.#temporaries++}`;
      if (await existing(path) === undefined) return path;
    }
  }

  /**
   * Returns the path of `parts`, after its parent was created.
   *
   * @throws {Error} If it is a directory, which nothing replaces.
   */
  async #replaceable(parts: Parts): Promise<string> {
    const path = await this.#parentOf(parts);
    if (!(await existing(path))?.isDirectory()) return path;
    throw new Error(`Cannot replace the directory ${this.#options.shown(path)} by a file`);
  }

  /** Returns the path of `parts`, after its parent was created. No part of it is a link. */
  async #parentOf(parts: Parts): Promise<string> {
    const { to } = this.#options;
    if (parts.length === 0) return to;
    if (this.#root === "") this.#root = await this.#makeRoot();
    let path = this.#root;
    for (const part of parts.slice(0, -1)) {
      path += `/${part}`;
      const found = await existing(path);
      if (found === undefined) await this.#makeDirectory(path);
      else if (!found.isDirectory()) {
        throw new Error(
          `Cannot write through ${this.#options.shown(path)}, which is not a directory`,
        );
      }
    }
    const last = parts.at(-1)!;
    return last === "" ? path : `${path}/${last}`;
  }

  /** Makes the destination a directory, and returns its real path: whoever gives the destination may give a link. */
  async #makeRoot(): Promise<string> {
    const { to } = this.#options;
    let isNew = true;
    await mkdir(to).catch((error) => {
      if (error?.code !== "EEXIST") throw error;
      isNew = false;
    });
    const root = await realpath(to);
    if (!(await lstat(root)).isDirectory()) {
      throw new Error(`Cannot copy a directory to ${to}, which is a file`);
    }
    if (isNew) this.#directories.set(root, undefined);
    return root;
  }

  async #makeDirectory(path: string): Promise<void> {
    this.#remember(path);
    await mkdir(path);
    this.#directories.set(path, undefined);
  }

  /** @throws {Error} If the archive has more names than fit in memory. */
  #remember(name: string): void {
    this.#remembered += name.length + NAME_COST;
    if (this.#remembered > MAX_REMEMBERED) {
      throw new Error(
        "The archive has too many directories and links to keep their names in memory",
      );
    }
  }

  #report(path: string): void {
    const { count: { bytes, files }, onProgress } = this.#options;
    requireSync("onProgress of copyFrom()", onProgress?.({ path, bytes, files }));
  }
}

/** Reports whether a link stays inside: it goes up only first, and not above the destination. */
function staysInside(parts: Parts, target: string): boolean {
  if (target === "" || target.startsWith("/") || /[\\\0]/.test(target)) return false;
  const steps = target.split("/").filter((part) => part !== "" && part !== ".");
  const ups = steps.findIndex((part) => part !== "..");
  const up = ups < 0 ? steps.length : ups;
  return up <= parts.length - 1 && !steps.slice(up).includes("..");
}

function keyOf(parts: Parts): string {
  return parts.join("/");
}

function shownPath(parts: Parts): string {
  return parts.length === 0 ? "." : keyOf(parts);
}

async function existing(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
