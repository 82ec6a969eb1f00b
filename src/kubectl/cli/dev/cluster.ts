import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { Runtime } from "./runtime.ts";
import { Started } from "./started.ts";

/** Options of {@linkcode MemoryCluster.start}. */
export interface MemoryClusterOptions {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** The module that runs first in the process. */
  readonly preload: string;
  /** The program, whose packages the cluster comes from. */
  readonly file: string;
  /** The folder for the kubeconfig. */
  readonly folder: string;
  /** Whether clients need a token, so that ServiceAccounts have their own rights. */
  readonly needsToken: boolean;
  /** Receives what the process says. */
  readonly warn: (line: string) => void;
}

/** A cluster in the memory of a process: an API server, a node, and the controllers of Kubernetes. */
export class MemoryCluster {
  /** The path of its kubeconfig, whose user is an administrator. */
  readonly kubeconfig: string;
  readonly #process: Started;
  #isStopping = false;

  private constructor(kubeconfig: string, process: Started) {
    this.kubeconfig = kubeconfig;
    this.#process = process;
  }

  /** The name of its context. */
  static readonly context = "kubeloop";

  /**
   * Starts a cluster, and waits until it serves.
   *
   * @throws {Error} If it does not start, with what it has said.
   */
  static async start(options: MemoryClusterOptions): Promise<MemoryCluster> {
    const { clock, file, folder, needsToken, preload, runtime, warn } = options;
    const kubeconfig = join(folder, "kubeconfig");
    const args = ["--port", "0", "--nodes", "1", "--kubeconfig-out", kubeconfig];
    if (needsToken) args.push("--tls", "--token", randomBytes(16).toString("hex"));
    const process = new Started([...runtime.serve(preload, file), ...args], {
      clock,
      isRead: true,
    });
    process.begin();
    const cluster = new MemoryCluster(kubeconfig, process);
    let said = "";
    const { promise: serves, resolve } = Promise.withResolvers<boolean>();
    const reading = process.read((text) => {
      if (said === "serves") {
        return cluster.#isStopping ? undefined : warn(`cluster: ${text.trimEnd()}`);
      }
      said += text;
      if (!said.includes("\nexport KUBECONFIG=")) return;
      said = "serves";
      resolve(true);
    });
    reading.then(() => resolve(false), () => resolve(false));
    if (await serves) return cluster;
    const lines = said.trim().split("\n");
    const line = lines.find((line) => line.startsWith("error: ")) ?? lines.at(-1) ?? "";
    throw new Error(`The cluster in memory has not started: ${line.replace(/^error: /, "")}`);
  }

  /** Stops the cluster. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#process.stop();
  }
}
