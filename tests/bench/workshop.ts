/**
 * Prepares the external needs of the bench before anything is measured: runtimes, the npm packages in a separate
 * project, and the Go program. Only the parts that a selection uses are prepared.
 *
 * @module
 */

import { Installed } from "../package/_installed.ts";
import { capture, LIBRARY, npm, ROOT, run, runtimes } from "../package/_tools.ts";
import { PACKAGE } from "./clients/client_node.ts";
import { needsGo } from "./contestants.ts";
import { buildGo, type GoPrograms } from "./go_programs.ts";

/** The latest version of the major version that users install today. */
const CLIENT_NODE = `${PACKAGE}@2`;

/** The required clients and runtimes. */
export interface Wanted {
  readonly clients: readonly string[];
  readonly runtimes: readonly string[];
}

/** The prepared environment of the bench. */
export class Workshop implements AsyncDisposable {
  /** The root folder of this repository. */
  readonly root: string = ROOT;
  /** The programs of runtimes other than Deno, by name. */
  readonly programs: Map<string, string> = new Map();
  /** The versions of runtimes and packages, by name. */
  readonly versions: Record<string, string> = { deno: Deno.version.deno };
  #installed: Installed | undefined;
  #go: GoPrograms | undefined;

  /** Prepares the required clients and runtimes. */
  static async open({ clients, runtimes }: Wanted): Promise<Workshop> {
    const workshop = new Workshop();
    if (runtimes.some((runtime) => runtime !== "deno")) await workshop.#findPrograms(runtimes);
    if (runtimes.some((runtime) => runtime !== "deno") || clients.includes("client-node")) {
      await workshop.#install();
    }
    if (clients.some(needsGo)) {
      workshop.#go = await buildGo();
      if (workshop.#go !== undefined) Object.assign(workshop.versions, workshop.#go.versions);
    }
    return workshop;
  }

  /** The folder of a project with `kubeloop` and `@kubernetes/client-node` installed, and a copy of these files. */
  get project(): string {
    if (this.#installed === undefined) throw new Error("Nothing was installed");
    return this.#installed.folder;
  }

  /** The Go program that measures client-go; undefined if Go is not installed. */
  get goClient(): string | undefined {
    return this.#go?.client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#installed?.[Symbol.asyncDispose]();
    await this.#go?.[Symbol.asyncDispose]();
  }

  async #findPrograms(wanted: readonly string[]): Promise<void> {
    for (const { name, path } of await runtimes()) {
      const [kind = "", version = ""] = name.split(" ");
      const short = version.startsWith("22.") ? "node22" : kind;
      if (!wanted.includes(short)) continue;
      this.programs.set(short, path);
      this.versions[short] = version;
    }
  }

  async #install(): Promise<void> {
    if (await isStale()) {
      console.error("building dist/npm …");
      await run([Deno.execPath(), "task", "npm"], { cwd: ROOT });
    }
    this.#installed = await Installed.create();
    const { folder } = this.#installed;
    await npm(["install", CLIENT_NODE], folder);
    for (const name of ["kubeloop", PACKAGE]) {
      const manifest = await Deno.readTextFile(`${folder}/node_modules/${name}/package.json`);
      this.versions[name] = JSON.parse(manifest).version;
    }
    for (const part of ["measure.ts", "stats.ts", "cases", "clients", "inside"]) {
      await copy(`${ROOT}tests/bench/${part}`, `${folder}/bench/${part}`);
    }
  }
}

/** Reports whether the sources are newer than the built package, or the package is missing. */
async function isStale(): Promise<boolean> {
  try {
    const { mtime } = await Deno.stat(`${LIBRARY.folder}/package.json`);
    const { stdout } = await capture([
      "find",
      `${ROOT}src`,
      `${ROOT}mod.ts`,
      "-newermt",
      (mtime ?? new Date(0)).toISOString(),
    ]);
    return stdout !== "";
  } catch {
    return true;
  }
}

/** Copies a file or folder, and changes its imports to the npm name of the package. */
async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) {
    const text = await Deno.readTextFile(from);
    await Deno.mkdir(to.slice(0, to.lastIndexOf("/")), { recursive: true });
    return await Deno.writeTextFile(to, text.replaceAll("@kubeloop/controller", "kubeloop"));
  }
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}
