/**
 * Lets esbuild bundle modules of installed npm packages under names that do not depend on where they are installed. The names
 * are part of the output, and of the hashes in the names of its files.
 *
 * @module
 */

import { dirname } from "node:path";
import type * as esbuild from "npm:esbuild@0.28.2";

/** A file of an installed package: the folder of the package, and the path in it. */
const INSTALLED = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\/(.+)$/;

/** Modules of the packages in a folder `node_modules`. */
export class NpmModules {
  readonly #folder: string;
  readonly #aliases: Readonly<Record<string, string>>;
  /** The files, by the names of the inputs. */
  readonly #files = new Map<string, string>();
  readonly #versions = new Map<string, Promise<string>>();

  /**
   * @param folder The folder `node_modules`.
   * @param aliases Modules of the packages, by the names that sources import them under.
   */
  constructor(folder: string, aliases: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#aliases = aliases;
  }

  /** The plugin. Inputs have names such as `npm:re2js@2.10.0/build/index.esm.js`. */
  readonly plugin: esbuild.Plugin = {
    name: "npm",
    setup: ({ onResolve, onLoad, resolve }) => {
      const named = async (path: string, kind: esbuild.ImportKind, resolveDir: string) => {
        // Marks the import, which comes here a second time.
        const options = { kind, resolveDir, pluginData: this };
        const { errors, path: file, sideEffects } = await resolve(path, options);
        if (errors.length > 0) return { errors };
        return { namespace: "npm", path: await this.#nameOf(file), sideEffects };
      };
      onResolve({ filter: /^[^.]/ }, ({ path, kind, namespace, pluginData }) => {
        const isOwn = namespace === "npm" || pluginData === this || kind === "entry-point";
        if (isOwn || /^(?:\/|node:)/.test(path)) return undefined;
        const target = this.#aliases[path] ?? path;
        return this.#isInstalled(target) ? named(target, kind, this.#folder) : undefined;
      });
      onResolve(
        { filter: /./, namespace: "npm" },
        ({ path, kind, importer, pluginData }) =>
          pluginData === this
            ? undefined
            : named(path, kind, dirname(this.#files.get(importer) ?? "")),
      );
      onLoad({ filter: /./, namespace: "npm" }, async ({ path }) => ({
        contents: await Deno.readTextFile(this.#files.get(path) ?? ""),
        loader: "js",
      }));
    },
  };

  /** Returns the folder of the package of an input; undefined for an input that is not from npm. */
  folderOf(input: string): string | undefined {
    const file = this.#files.get(input.replace(/^npm:/, "")) ?? "";
    return INSTALLED.exec(file)?.[1];
  }

  #isInstalled(path: string): boolean {
    const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    try {
      return Deno.statSync(`${this.#folder}/${name}`).isDirectory;
    } catch {
      return false;
    }
  }

  /** Returns `NAME@VERSION/PATH` for an installed file. */
  async #nameOf(file: string): Promise<string> {
    const [, folder, name, path] = INSTALLED.exec(file) ?? [];
    if (folder === undefined) throw new Error(`Cannot bundle ${file}: is in no npm package`);
    let version = this.#versions.get(folder);
    if (version === undefined) {
      version = Deno.readTextFile(`${folder}/package.json`).then((text) =>
        JSON.parse(text).version
      );
      this.#versions.set(folder, version);
    }
    const input = `${name}@${await version}/${path}`;
    this.#files.set(input, file);
    return input;
  }
}
