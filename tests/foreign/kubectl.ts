/**
 * kubectl as a child process, built like the real API server.
 *
 * @module
 */

import { binary } from "../e2e/binaries.ts";

/** The time limit of a command, and of waiting for its output. */
const TIMEOUT_MS = 60_000;

/** The interval at which output is checked. */
const LOOK_EVERY_MS = 20;

/** The output of a command. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reports whether Go is installed, to build kubectl with; logs a line if not. */
export async function hasGo(what: string): Promise<boolean> {
  try {
    await new Deno.Command("go", { args: ["version"], stdout: "null", stderr: "null" }).output();
    return true;
  } catch {
    console.log(`${what}: skipped, there is no go on this machine to build it with`);
    return false;
  }
}

/** kubectl with one kubeconfig and its own home folder, which contains its discovery cache. */
export class Kubectl implements AsyncDisposable {
  readonly #path: string;
  readonly #kubeconfig: string;
  readonly #home: string;

  private constructor(path: string, kubeconfig: string, home: string) {
    this.#path = path;
    this.#kubeconfig = kubeconfig;
    this.#home = home;
  }

  /** Builds kubectl if it is missing. */
  static async create(kubeconfig: string): Promise<Kubectl> {
    const home = await Deno.makeTempDir({ prefix: "kubeloop-kubectl-" });
    return new Kubectl(await binary("kubectl"), kubeconfig, home);
  }

  /** Starts one command. */
  start(args: readonly string[], stdin = ""): RunningCommand {
    return new RunningCommand(
      new Deno.Command(this.#path, {
        args: [...args],
        clearEnv: true,
        env: {
          KUBECONFIG: this.#kubeconfig,
          HOME: this.#home,
          PATH: Deno.env.get("PATH") ?? "",
          TZ: "UTC",
        },
        cwd: this.#home,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
      stdin,
    );
  }

  /** Runs one command to its end. */
  run(args: readonly string[], stdin = ""): Promise<Output> {
    return this.start(args, stdin).output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#home, { recursive: true });
  }
}

/** A running command. */
export class RunningCommand {
  /** The standard output so far. */
  stdout = "";
  /** The standard error so far. */
  stderr = "";
  /** Resolves with the output when the command has ended. */
  readonly output: Promise<Output>;
  readonly #child: Deno.ChildProcess;
  #ended = false;

  /** Follows `child`, which reads `stdin`. */
  constructor(child: Deno.ChildProcess, stdin: string) {
    this.#child = child;
    this.output = this.#follow(stdin);
  }

  /** Waits until `check` returns true or the command ends. */
  async until(check: () => boolean): Promise<void> {
    while (!this.#ended && !check()) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Interrupts the command like Ctrl-C, because a watch does not end by itself. */
  interrupt(): void {
    if (!this.#ended) this.#child.kill("SIGINT");
  }

  async #follow(stdin: string): Promise<Output> {
    const timer = setTimeout(() => this.interrupt(), TIMEOUT_MS);
    const reading = Promise.all([
      read(this.#child.stdout, (text) => this.stdout += text),
      read(this.#child.stderr, (text) => this.stderr += text),
    ]);
    const writer = this.#child.stdin.getWriter();
    // The write fails if the command closes the pipe without reading its input.
    await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
    await writer.close().catch(() => {});
    const { code } = await this.#child.status;
    this.#ended = true;
    clearTimeout(timer);
    await reading;
    return { code, stdout: this.stdout, stderr: this.stderr };
  }
}

async function read(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (text: string) => void,
): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}
