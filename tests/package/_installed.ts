/**
 * A project that has the npm package installed from its tarball, as its users have it.
 *
 * @module
 */

import { npm, PACKAGE_FOLDER, ROOT } from "./_tools.ts";

/** A folder with the package and what belongs to it in `node_modules`; removed in the end. */
export class Installed implements AsyncDisposable {
  /** The project's folder. */
  readonly folder: string;
  /** The tarball that was installed. */
  readonly tarball: string;

  private constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  /** Packs `dist/npm` and installs it into a new project. */
  static async create(): Promise<Installed> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-package-" });
    const [{ filename }] = JSON.parse(
      await npm(["pack", "--json", "--pack-destination", folder], PACKAGE_FOLDER),
    );
    const tarball = `${folder}/${filename}`;
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true, "type": "module" }\n');
    await npm(["install", tarball], folder);
    return new Installed(folder, tarball);
  }

  /** Writes a file into the project. */
  async write(path: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.folder}/${path}`, text);
  }

  /** Copies a file of `consumer/` into the project, as `path`, importing the package by its name on npm. */
  async copyConsumer(name: string, path: string): Promise<void> {
    const text = await Deno.readTextFile(`${ROOT}tests/package/consumer/${name}`);
    await this.write(path, text.replaceAll("@kubeloop/controller", "kubeloop"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
