import { fileURLToPath } from "node:url";
import { PERMISSIONS, sharedModule } from "../support/all_tests.ts";
import { copyTree } from "../support/copy_tree.ts";
import { applyMutant, type Mutant } from "./mutants.ts";
import type { Imports } from "./nearest_tests.ts";

/** The result of the tests: all passed, one failed, or they took too long. */
export type Outcome = "passed" | "failed" | "timeout";

/** How many test files run first. Most mutants are noticed by them. */
const FIRST_TESTS = 5;

/** A copy of the repository in a temporary folder, into which one mutant at a time is put. */
export class MutatedTree implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a copy of the repository, whose root is at `root`. */
  static async copy(root: URL): Promise<MutatedTree> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-mutation-" });
    await copyTree(root, folder);
    return new MutatedTree(folder);
  }

  /** Returns the files of TypeScript at or below `path`, sorted. */
  async files(path: string): Promise<string[]> {
    const { isDirectory } = await Deno.stat(`${this.#folder}/${path}`);
    if (!isDirectory) return [path];
    const found: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(`${this.#folder}/${path}`)) {
      if (isDirectory) found.push(...await this.files(`${path}/${name}`));
      else if (name.endsWith(".ts")) found.push(`${path}/${name}`);
    }
    return found.sort();
  }

  /** Returns the text of a file. */
  read(file: string): Promise<string> {
    return Deno.readTextFile(`${this.#folder}/${file}`);
  }

  /** Returns what the modules import that `files` reach. Imports of types do not count. */
  async imports(files: readonly string[]): Promise<Imports> {
    const entry = `${this.#folder}/all_tests.ts`;
    await Deno.writeTextFile(entry, files.map((file) => `import "./${file}";\n`).join(""));
    const { stdout } = await this.#deno(["info", "--json", entry], new AbortController().signal);
    await Deno.remove(entry);
    const graph: DenoGraph = JSON.parse(new TextDecoder().decode(stdout));
    return new Map(graph.modules.map(({ specifier, dependencies = [] }) => [
      this.#relative(specifier),
      dependencies.flatMap(({ code }) =>
        code === undefined ? [] : [this.#relative(code.specifier)]
      ),
    ]));
  }

  /** Runs test files in the unchanged tree, or with a mutant, until one fails or the time is over. */
  async test(
    tests: readonly string[],
    { mutant, seconds }: { readonly mutant?: Mutant; readonly seconds: number },
  ): Promise<Outcome> {
    const original = mutant && await this.read(mutant.file);
    const path = `${this.#folder}/${mutant?.file}`;
    if (mutant !== undefined) await Deno.writeTextFile(path, applyMutant(original!, mutant));
    const signal = AbortSignal.timeout(seconds * 1000);
    try {
      for (const some of [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS)]) {
        if (some.length === 0) continue;
        const modules = await this.#share(some);
        const flags = ["--quiet", "--no-check", "--fail-fast", "--parallel", ...PERMISSIONS];
        const { success } = await this.#deno(["test", ...flags, ...modules], signal);
        if (signal.aborted) return "timeout";
        if (!success) return "failed";
      }
      return "passed";
    } finally {
      if (mutant !== undefined) await Deno.writeTextFile(path, original!);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** Returns two modules that run test files side by side: isolates for each file would load the library as often. */
  async #share(tests: readonly string[]): Promise<string[]> {
    const halves = [0, 1].map((half) => tests.filter((_, i) => i % 2 === half));
    return await Promise.all(halves.map(async (half, i) => {
      const module = `${this.#folder}/shared_${i}_test.ts`;
      await Deno.writeTextFile(module, sharedModule(`${this.#folder}/`, half));
      return module;
    }));
  }

  #deno(args: readonly string[], signal: AbortSignal): Promise<Deno.CommandOutput> {
    return new Deno.Command(Deno.execPath(), {
      cwd: this.#folder,
      args: [...args],
      env: { NO_COLOR: "1" },
      stdin: "null",
      signal,
    }).output();
  }

  #relative(specifier: string): string {
    if (!specifier.startsWith("file:")) return specifier;
    const path = fileURLToPath(specifier);
    return path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : path;
  }
}

/** The graph that `deno info --json` prints. */
interface DenoGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly { readonly code?: { readonly specifier: string } }[];
  }[];
}
