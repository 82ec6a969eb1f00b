/**
 * A project with the npm packages installed from their tarballs, like the project of a user.
 *
 * @module
 */

import { npm, PUBLISHED, ROOT, tarballOf } from "./_tools.ts";

/** A folder with the packages and their dependencies in `node_modules`; removed on disposal. */
export class Installed implements AsyncDisposable {
  /** The folder of the project. */
  readonly folder: string;
  /** The installed tarballs, by package name. */
  readonly tarballs: ReadonlyMap<string, string>;

  private constructor(folder: string, tarballs: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.tarballs = tarballs;
  }

  /** Installs the built packages into a new project. */
  static async create(): Promise<Installed> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-package-" });
    const tarballs = new Map(PUBLISHED.map((built) => [built.name, tarballOf(built)]));
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true, "type": "module" }\n');
    await npm(["install", ...tarballs.values()], folder);
    return new Installed(folder, tarballs);
  }

  /** Writes a file into the project. */
  async write(path: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.folder}/${path}`, text);
  }

  /** Copies a file of `consumer/` to `path` in the project, and changes its imports to the npm names. */
  async copyConsumer(name: string, path: string): Promise<void> {
    const text = await Deno.readTextFile(`${ROOT}tests/package/consumer/${name}`);
    await this.write(path, text.replaceAll("@kubeloop/controller", "kubeloop"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
