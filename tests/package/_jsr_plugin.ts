/**
 * Lets esbuild bundle modules as they are published on JSR.
 *
 * @module
 */

import type * as esbuild from "npm:esbuild@0.28.2";
import { run, type RunOptions } from "./_tools.ts";

/** A module, as `deno info --json` reports it. */
interface GraphModule {
  readonly specifier: string;
  /** The file of its text in Deno's cache. */
  readonly local?: string;
  readonly mediaType?: string;
  readonly error?: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly code?: { readonly specifier: string };
  }[];
}

interface Graph {
  readonly modules: readonly GraphModule[];
  readonly redirects: Readonly<Record<string, string>>;
}

const LOADERS: Readonly<Record<string, esbuild.Loader>> = {
  TypeScript: "ts",
  JavaScript: "js",
  Mjs: "js",
  Mts: "ts",
};

/** Modules of JSR, which Deno finds, checks and keeps. */
export class JsrModules {
  readonly #imports: Readonly<Record<string, string>>;
  readonly #options: RunOptions;
  readonly #modules = new Map<string, GraphModule>();
  readonly #redirects = new Map<string, string>();

  /** @param imports The imports of a deno.json: the JSR specifier by the name of the package. */
  constructor(imports: Readonly<Record<string, string>>, options: RunOptions = {}) {
    this.#imports = imports;
    this.#options = options;
  }

  /** The plugin. Inputs have names such as `jsr:@std/yaml@1.0.9/parse.ts`. */
  readonly plugin: esbuild.Plugin = {
    name: "jsr",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^@/ }, async ({ path, namespace }) => {
        const specifier = this.#specifierOf(path);
        if (namespace === "jsr" || specifier === undefined) return undefined;
        await this.#load(specifier);
        return { namespace: "jsr", path: this.#nameOf(specifier) };
      });
      onResolve({ filter: /./, namespace: "jsr" }, ({ path, importer }) => {
        const from = this.#modules.get(importer)?.dependencies ?? [];
        const found = from.find(({ specifier }) => specifier === path)?.code?.specifier;
        if (found === undefined) throw new Error(`Cannot resolve "${path}" in jsr:${importer}`);
        return { namespace: "jsr", path: this.#nameOf(found) };
      });
      onLoad({ filter: /./, namespace: "jsr" }, async ({ path }) => {
        const loader = LOADERS[this.#modules.get(path)?.mediaType ?? ""];
        if (loader === undefined) throw new Error(`Cannot bundle jsr:${path}: is no script`);
        return { contents: await this.read(`jsr:${path}`), loader };
      });
    },
  };

  /** Returns the text of an input of the plugin. */
  read(input: string): Promise<string> {
    const { local, error } = this.#modules.get(input.slice("jsr:".length)) ?? {};
    if (local === undefined) throw new Error(`Cannot read ${input}: ${error ?? "not loaded"}`);
    return Deno.readTextFile(local);
  }

  /** Returns the JSR specifier of an import, such as `jsr:@std/yaml@^1.0.0/parse`; undefined if it is not from JSR. */
  #specifierOf(path: string): string | undefined {
    const [, name = "", rest = ""] = /^(@[^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
    const target = this.#imports[name];
    return target?.startsWith("jsr:") ? target + rest : undefined;
  }

  async #load(specifier: string): Promise<void> {
    if (this.#redirects.has(specifier)) return;
    // Without the deno.json of this repository, whose `links` may stand in for JSR.
    const args = ["info", "--json", "--no-config", "--no-lock", specifier];
    const graph: Graph = JSON.parse(await run([Deno.execPath(), ...args], this.#options));
    for (const [from, to] of Object.entries(graph.redirects)) this.#redirects.set(from, to);
    for (const module of graph.modules) {
      if (module.error !== undefined) throw new Error(module.error);
      this.#modules.set(this.#nameOf(module.specifier), module);
    }
    if (!this.#redirects.has(specifier)) throw new Error(`Cannot find ${specifier} on JSR`);
  }

  /** Returns `@SCOPE/NAME@VERSION/PATH` for the URL of a module. */
  #nameOf(specifier: string): string {
    const url = this.#redirects.get(specifier) ?? specifier;
    const [, scope, name, version, path] =
      /^https?:\/\/[^/]+\/(@[^/]+)\/([^/]+)\/([^/]+)\/(.+)$/.exec(url) ?? [];
    if (path === undefined) throw new Error(`Cannot bundle "${url}": is no module of JSR`);
    return `${scope}/${name}@${version}/${path}`;
  }
}
