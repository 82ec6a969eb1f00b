/**
 * A program that imports each entry point of the npm packages, for TypeScript with `skipLibCheck: false`.
 *
 * @module
 */

import { assert } from "@std/assert";
import { Installed } from "./_installed.ts";
import { run, toolsFolder } from "./_tools.ts";

const NO_TYPES = { types: [] };
const NO_DOM = { types: ["node"], lib: ["es2022"] };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/** Compiler options. */
const COMPILERS = {
  "nodenext, without the types of Node": { module: "nodenext", ...NO_TYPES },
  "nodenext, with the types of Node and none of the DOM": { module: "nodenext", ...NO_DOM },
  "node16, without the types of Node": { module: "node16", ...NO_TYPES },
  "node16, with the types of Node and none of the DOM": { module: "node16", ...NO_DOM },
  "bundler, without the types of Node": { ...BUNDLER, ...NO_TYPES },
  "bundler, without the types of Node, for an old target": {
    ...BUNDLER,
    ...NO_TYPES,
    target: "es2017",
  },
  "bundler, with the types of Node and none of the DOM": { ...BUNDLER, ...NO_DOM },
};

/** The name of some compiler options. */
export type Compiler = keyof typeof COMPILERS;

/** The names of all compiler options. */
export const ALL_COMPILERS = Object.keys(COMPILERS) as readonly Compiler[];

/** A project with the program. */
export class CompiledProject implements AsyncDisposable {
  readonly #project: Installed;
  readonly #tools: string;

  private constructor(project: Installed, tools: string) {
    this.#project = project;
    this.#tools = tools;
  }

  static async create(): Promise<CompiledProject> {
    const project = await Installed.create();
    const entries: string[] = [];
    for (const name of project.tarballs.keys()) {
      const path = `${project.folder}/node_modules/${name}/package.json`;
      const { exports } = JSON.parse(await Deno.readTextFile(path));
      const specifiers = Object.keys(exports).filter((one) => one !== "./package.json");
      entries.push(...specifiers.map((specifier) => name + specifier.slice(1)));
    }
    assert(entries.length > 100, `${entries.length} entry points`);
    const imports = entries.map((name, i) => `import * as module${i} from "${name}";\n`);
    const used = entries.map((_, i) => `module${i}`).join(", ");
    await project.write("app.ts", `${imports.join("")}export const all: object[] = [${used}];\n`);
    await project.write(
      "app.cts",
      'import { Client } from "@kubeloop/controller";\nexport const client: object = Client;\n',
    );
    return new CompiledProject(project, await toolsFolder());
  }

  /** Fails unless the program compiles with a version of TypeScript, which is the name of a tool. */
  async compiles(name: Compiler, typescript: "typescript" | "typescript-7"): Promise<void> {
    const options = COMPILERS[name];
    const config = {
      compilerOptions: {
        target: "es2022",
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        typeRoots: [`${this.#tools}/@types`],
        ...options,
      },
      // node16 does not know that CommonJS can require modules.
      files: options.module === "nodenext" ? ["app.ts", "app.cts"] : ["app.ts"],
    };
    await this.#project.write("tsconfig.json", JSON.stringify(config));
    const cwd = this.#project.folder;
    await run(["node", `${this.#tools}/${typescript}/bin/tsc`, "-p", "."], { cwd });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#project[Symbol.asyncDispose]();
  }
}
