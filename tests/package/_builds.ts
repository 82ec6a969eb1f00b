/**
 * Fixtures for the tests of third-party bundlers: a project with the npm packages, a cluster that requires TLS with a client
 * certificate, and a folder far from the project where the built programs run.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { assertEquals } from "@std/assert";
import { TlsCluster } from "../support/tls_cluster.ts";
import { Installed } from "./_installed.ts";
import { run } from "./_tools.ts";

/** The output of `consumer/operator.ts`. */
const EXPECTED = "reconciled\n";

/** A project, and a place for the programs that are built in it. */
export class Workbench implements AsyncDisposable {
  /** The project: `operator.mjs` is the program to build. */
  readonly project: Installed;
  /** The folder for what is built. It has no `node_modules`, and no folder above it has. */
  readonly away: string;
  readonly #cluster: TlsCluster;

  private constructor(project: Installed, away: string, cluster: TlsCluster) {
    this.project = project;
    this.away = away;
    this.#cluster = cluster;
  }

  /** Installs the packages from their tarballs, and starts the cluster. */
  static async create(): Promise<Workbench> {
    const cluster = await TlsCluster.create();
    const project = await Installed.create();
    const away = await Deno.makeTempDir({ prefix: "kubeloop-away-" });
    await Deno.copyFile(
      new URL("consumer/operator.ts", import.meta.url),
      `${project.folder}/operator.mjs`,
    );
    await Deno.writeTextFile(`${away}/kubeconfig.yaml`, cluster.kubeconfig);
    await Deno.writeTextFile(`${away}/me.pem`, cluster.me.cert + cluster.me.key);
    return new Workbench(project, away, cluster);
  }

  /** Runs a command in the project. */
  async build(...command: readonly string[]): Promise<void> {
    await run(command, { cwd: this.project.folder });
  }

  /** Runs a built program, which must reach the cluster. */
  async works(...command: readonly string[]): Promise<void> {
    assertEquals(await run([...command, "kubeconfig.yaml"], { cwd: this.away }), EXPECTED);
    const { size } = await Deno.stat(resolve(this.away, command.at(-1)!));
    console.log(`${basename(command.at(-1)!)}: ${Math.ceil(size / 1024).toLocaleString("en")} KiB`);
  }

  /** Writes a file into the project, and returns its path. */
  async write(path: string, text: string): Promise<string> {
    await this.project.write(path, text);
    return `${this.project.folder}/${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.away, { recursive: true });
    await this.project[Symbol.asyncDispose]();
    await this.#cluster[Symbol.asyncDispose]();
  }
}
