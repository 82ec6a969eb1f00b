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

/** The maximum total length of the names of directories and links that are kept in memory, in characters. */
const MAX_REMEMBERED = 128 * 1024 * 1024;

/** The maximum total length of the names of files kept for hard links, in characters. Hard links to later files are skipped. */
const MAX_FILE_NAMES = 32 * 1024 * 1024;

/** The memory of a name besides its text, in characters. */
const NAME_COST = 64;

/** The parts of a path below the destination. */
type PathParts = readonly string[];

/** Options of an {@linkcode Extraction}. */
export interface ExtractionOptions {
  /** The local path. */
  readonly to: string;
  /** The common first part of all paths in the archive; `.` if there is none. */
  readonly name: string;
  readonly count: CopyCount;
  readonly onProgress: CopyOptions["onProgress"];
  /** Prepares a path from the container for an error message. */
  readonly shown: (path: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive below one path, and nothing outside of it. Existing files and links are replaced when
 * their copy is complete. Existing directories keep their other entries and their modes.
 */
export class Extraction {
  readonly #options: ExtractionOptions;
  /** The targets of the links. Links are created last, so that no file is written through a link. */
  readonly #links = new Map<string, { readonly parts: PathParts; readonly target: string }>();
  /** The created directories and their modes, which are set last: a mode may forbid writing. */
  readonly #directories = new Map<string, number | undefined>();
  /** The created files. Other files cannot be the target of a hard link, which would change them. */
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
   * @throws {Error} If the path of an entry leads out of the destination, or is taken by another type of file.
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
    // The deepest first, because a mode may forbid entering a directory.
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
   * @throws {Error} If the path leads out of the destination.
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

  async #directory(parts: PathParts, mode: number): Promise<void> {
    const path = await this.#parentOf([...parts, ""]);
    // An existing directory keeps its mode.
    if (this.#directories.has(path)) this.#directories.set(path, mode & 0o777);
  }

  async #file(
    parts: PathParts,
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

  #symbolicLink(parts: PathParts, target: string): void {
    if (parts.length === 0 || !staysInside(parts, target)) return this.#skip(parts);
    this.#remember(keyOf(parts) + target);
    this.#links.set(keyOf(parts), { parts, target });
  }

  async #hardLink(parts: PathParts, target: string): Promise<void> {
    const sourceParts = this.#partsOf(target);
    const sourceLink = this.#links.get(keyOf(sourceParts));
    // A relative target may lead elsewhere from another directory, so it is checked again.
    if (sourceLink !== undefined) return this.#symbolicLink(parts, sourceLink.target);
    const source = await this.#parentOf(sourceParts);
    const path = await this.#replaceable(parts);
    if (source === path) return;
    if (!this.#files.has(source)) return this.#skip(parts);
    await this.#replace(path, (temporary) => link(source, temporary));
    this.#links.delete(keyOf(parts));
    this.#options.count.files++;
  }

  #skip(parts: PathParts): void {
    this.#options.count.skip(shownPath(parts));
  }

  /**
   * Creates a file or link beside a path, and moves it there once it is complete.
   *
   * @param make Creates it at the temporary path, which does not exist.
   */
  async #replace(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = await this.#temporaryIn(dirname(path));
    try {
      await make(temporary);
      await rename(temporary, path);
    } finally {
      // Left over after an error, and after the rename of a hard link to the same file, which does nothing.
      await unlink(temporary).catch(() => {});
    }
  }

  /** Returns an unused path in a directory. */
  async #temporaryIn(directory: string): Promise<string> {
    while (true) {
      const path = `${directory}/.kubeloop-copy-${this.#temporaries++}`;
      if (await existing(path) === undefined) return path;
    }
  }

  /**
   * Creates the parent of `parts`, and returns the path of `parts`.
   *
   * @throws {Error} If the path is a directory: directories are not replaced.
   */
  async #replaceable(parts: PathParts): Promise<string> {
    const path = await this.#parentOf(parts);
    if (!(await existing(path))?.isDirectory()) return path;
    throw new Error(`Cannot replace the directory ${this.#options.shown(path)} by a file`);
  }

  /** Creates the parent of `parts` without following links, and returns the path of `parts`. */
  async #parentOf(parts: PathParts): Promise<string> {
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

  /** Creates the destination directory, and returns its real path: the caller may pass a link. */
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

  /** Counts the memory of a name. Throws if the archive has more names than fit in memory. */
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

/** Reports whether a link stays inside the destination: `..` is only at the start, and not above the destination. */
function staysInside(parts: PathParts, target: string): boolean {
  if (target === "" || target.startsWith("/") || /[\\\0]/.test(target)) return false;
  const steps = target.split("/").filter((part) => part !== "" && part !== ".");
  const ups = steps.findIndex((part) => part !== "..");
  const up = ups < 0 ? steps.length : ups;
  return up <= parts.length - 1 && !steps.slice(up).includes("..");
}

function keyOf(parts: PathParts): string {
  return parts.join("/");
}

function shownPath(parts: PathParts): string {
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
