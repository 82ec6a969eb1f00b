/**
 * kubectl v1.35, built like the real API server, as a child process.
 *
 * @module
 */

import { binary } from "../e2e/binaries.ts";

/** How long one command may take. */
const TIMEOUT_MS = 30_000;

/** What a command printed. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whether there is a Go to build kubectl with; says so when there is none. */
export async function hasGo(what: string): Promise<boolean> {
  try {
    await new Deno.Command("go", { args: ["version"], stdout: "null", stderr: "null" }).output();
    return true;
  } catch {
    console.log(`${what}: skipped, there is no go on this machine to build it with`);
    return false;
  }
}

/** kubectl with one kubeconfig and a home folder of its own, which holds its discovery cache. */
export class Kubectl implements AsyncDisposable {
  readonly #path: string;
  readonly #kubeconfig: string;
  readonly #home: string;

  private constructor(path: string, kubeconfig: string, home: string) {
    this.#path = path;
    this.#kubeconfig = kubeconfig;
    this.#home = home;
  }

  /** Builds kubectl when it is not there yet. */
  static async create(kubeconfig: string): Promise<Kubectl> {
    const home = await Deno.makeTempDir({ prefix: "kubeloop-kubectl-" });
    return new Kubectl(await binary("kubectl"), kubeconfig, home);
  }

  /** Runs one command; `stopAfterMs` ends it with an interrupt, as for a watch. */
  async run(
    args: readonly string[],
    options: { stdin?: string; stopAfterMs?: number } = {},
  ): Promise<Output> {
    const { stdin, stopAfterMs = TIMEOUT_MS } = options;
    const child = new Deno.Command(this.#path, {
      args: [...args],
      clearEnv: true,
      env: { KUBECONFIG: this.#kubeconfig, HOME: this.#home, PATH: Deno.env.get("PATH") ?? "" },
      cwd: this.#home,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const timer = setTimeout(() => child.kill("SIGINT"), stopAfterMs);
    const writer = child.stdin.getWriter();
    // A command that does not read its input closes the pipe.
    await writer.write(new TextEncoder().encode(stdin ?? "")).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    clearTimeout(timer);
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#home, { recursive: true });
  }
}
