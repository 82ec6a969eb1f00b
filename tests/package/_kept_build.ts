/**
 * Reports whether the packages in `dist` were built from the current sources, so that they need not be built again.
 *
 * @module
 */

const INPUTS = ["deno.json", "LICENSE", "mod.ts", "README.md", "src", "tests/package"];

/** A record beside the packages. */
interface BuildRecord {
  readonly inputs: string;
  readonly outputs: string;
}

/** The record of the last build of a repository. */
export class KeptBuild {
  readonly #root: string;

  /** @param root The folder of the repository, with a slash at its end. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Whether nothing has changed since the last build: neither what it reads nor what it wrote. */
  async isCurrent(): Promise<boolean> {
    const kept = await this.#read();
    return kept !== undefined && kept.inputs === await this.#inputs() &&
      kept.outputs === await this.#outputs();
  }

  /** Makes the packages stale, before they are built. */
  async forget(): Promise<void> {
    try {
      await Deno.remove(this.#record);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** Records the packages that have been built. */
  async keep(): Promise<void> {
    const record: BuildRecord = { inputs: await this.#inputs(), outputs: await this.#outputs() };
    await Deno.writeTextFile(this.#record, JSON.stringify(record));
  }

  get #record(): string {
    return `${this.#root}dist/built.json`;
  }

  async #read(): Promise<BuildRecord | undefined> {
    try {
      return JSON.parse(await Deno.readTextFile(this.#record));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #inputs(): Promise<string> {
    return this.#digest(INPUTS, Deno.version.deno);
  }

  #outputs(): Promise<string> {
    return this.#digest(["dist"], "");
  }

  /** Returns a digest of the names and contents of all files below `paths`, and of `salt`. */
  async #digest(paths: readonly string[], salt: string): Promise<string> {
    const lines = [salt];
    for (const path of paths) await this.#addDigests(path, lines);
    return await digestOf(new TextEncoder().encode(lines.join("\n")));
  }

  async #addDigests(path: string, lines: string[]): Promise<void> {
    const full = `${this.#root}${path}`;
    // Not stat(): a link to a package is not a file of this build.
    const { isDirectory, isFile } = await Deno.lstat(full);
    if (isFile && full !== this.#record) {
      lines.push(`${path} ${await digestOf(await Deno.readFile(full))}`);
    }
    if (!isDirectory) return;
    const names = (await Array.fromAsync(Deno.readDir(full))).map(({ name }) => name).sort();
    for (const name of names) await this.#addDigests(`${path}/${name}`, lines);
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
