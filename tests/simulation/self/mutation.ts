import { copyTree } from "../../support/copy_tree.ts";
import type { Mutant } from "./mutants.ts";

/** The parts of a copy of the library that can be simulated. */
const COPIED = [
  "deno.json",
  "mod.ts",
  "src",
  "tests/std_links",
  "tests/simulation",
  "tests/support",
];

/** A copy of the library in a temporary folder, into which mutants are put. */
export class MutableLibrary implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a copy of the library, whose root is at `root`. */
  static async copy(root: URL): Promise<MutableLibrary> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-mutants-" });
    for (const path of COPIED) await copyTree(new URL(path, root), `${folder}/${path}`);
    return new MutableLibrary(folder);
  }

  /**
   * Simulates the copy, with or without a mutant in it. Returns the output, and whether anything was found.
   *
   * @throws {Error} If the text of the mutant is not in its file, or is there more than once.
   */
  async simulate(
    mutant: Mutant | undefined,
    args: readonly string[],
  ): Promise<{ readonly found: boolean; readonly output: string }> {
    const path = `${this.#folder}/src/${mutant?.file ?? "pager/mod.ts"}`;
    const original = await Deno.readTextFile(path);
    if (mutant !== undefined) await Deno.writeTextFile(path, mutate(original, mutant));
    try {
      const { code, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
        cwd: this.#folder,
        args: [
          "run",
          "--no-check",
          "--allow-read",
          "--allow-env",
          "tests/simulation/main.ts",
          "--self",
          ...args,
        ],
        env: { NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const text = new TextDecoder();
      const output = `${text.decode(stdout)}${text.decode(stderr)}`;
      if (code > 1 || (code === 1) !== output.includes("WRONG")) {
        throw new Error(`The simulation itself failed:\n${output}`);
      }
      return { found: code === 1, output };
    } finally {
      await Deno.writeTextFile(path, original);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** Returns the text of a file with a mutant in it. */
export function mutate(text: string, { file, find, name, replace }: Mutant): string {
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(
      `Cannot make the mutant "${name}": ${file} has its text ${times} times, must have it once`,
    );
  }
  return text.replace(find, () => replace);
}
