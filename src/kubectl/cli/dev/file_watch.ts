import { type FSWatcher, watch } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock } from "@kubeloop/controller/internal/base";

/** The time without further events after which a change counts: editors write a file in several steps. */
const QUIET_MS = 30;

/** A change of a file. */
export interface FileChange {
  readonly path: string;
  /** When the file was saved, in milliseconds of the wall clock. */
  readonly savedMs: number;
}

/**
 * Watches files for a change of their text. Their folders are watched, because many editors replace a file by a new one.
 */
export class FileWatch {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #clock: Clock;
  readonly #onChange: (change: FileChange) => void;
  readonly #watchers: FSWatcher[] = [];
  readonly #touched = new Set<string>();
  #quiet: { cancel(): void } | undefined;
  #isClosed = false;

  /**
   * @param texts The texts of the files, by path.
   * @param clock Measures the time without events.
   * @param onChange Called once, after the first change.
   */
  constructor(
    texts: ReadonlyMap<string, string>,
    clock: Clock,
    onChange: (change: FileChange) => void,
  ) {
    this.#texts = texts;
    this.#clock = clock;
    this.#onChange = onChange;
    for (const folder of new Set([...texts.keys()].map((path) => dirname(path)))) {
      const watcher = watch(folder, (_, name) => this.#touch(folder, name));
      // A folder that is removed ends its watch; the program then fails by itself.
      watcher.on("error", () => {});
      this.#watchers.push(watcher);
    }
    // A file may have changed since it was read.
    for (const path of texts.keys()) this.#touched.add(path);
    this.#wait();
  }

  /** Ends the watch. */
  close(): void {
    this.#isClosed = true;
    this.#quiet?.cancel();
    for (const watcher of this.#watchers) watcher.close();
  }

  #touch(folder: string, name: string | null): void {
    for (const path of this.#texts.keys()) {
      if (dirname(path) === folder && (name === null || basename(path) === name)) {
        this.#touched.add(path);
      }
    }
    if (this.#touched.size > 0) this.#wait();
  }

  #wait(): void {
    this.#quiet?.cancel();
    this.#quiet = this.#clock.setTimer(() => void this.#compare(), QUIET_MS);
  }

  /** Compares the touched files with their texts. */
  async #compare(): Promise<void> {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const path of touched) {
      // A file that is missing is about to be replaced.
      const text = await readFile(path, "utf8").catch(() => undefined);
      if (text === undefined || text === this.#texts.get(path)) continue;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: this.#clock.wallNow() }));
      if (this.#isClosed) return;
      this.close();
      this.#onChange({ path, savedMs: mtimeMs });
      return;
    }
  }
}
