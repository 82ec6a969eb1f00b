/**
 * A real browser, and the network around it.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PROGRAM = "chromium-headless-shell";

/** The name of the attacker's site, which the browser resolves to this machine. */
export const ATTACKER = "attacker.example";

async function runs(command: string, ...args: string[]): Promise<boolean> {
  try {
    const output = { stdout: "null", stderr: "null" } as const;
    return (await new Deno.Command(command, { args, ...output }).output()).success;
  } catch {
    return false;
  }
}

/** Returns the reason why this machine has no browser; undefined if it has one, or if it could be installed. */
export async function browserMissing(): Promise<string | undefined> {
  if (await runs(PROGRAM, "--version")) return undefined;
  if (!await runs("apt-get", "--version")) {
    return `there is no ${PROGRAM}, and no apt-get to install it with`;
  }
  await runs("apt-get", "update");
  await runs("apt-get", "install", "-y", "--no-install-recommends", PROGRAM);
  if (await runs(PROGRAM, "--version")) return undefined;
  return `there is no ${PROGRAM}, and apt-get could not install it`;
}

/** A browser that shows one page. */
export class Browser implements AsyncDisposable {
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  /** Opens `url`, as if the user had typed it. */
  static async open(url: string): Promise<Browser> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-browser-" });
    const args = argumentsFor(folder, ["--remote-debugging-port=0", url]);
    // In a process group of its own, because the program is a script that starts the browser.
    return new Browser(folder, spawn(PROGRAM, args, { detached: true, stdio: "ignore" }));
  }

  /** Returns the URL of the DevTools protocol, once the browser listens. */
  async devTools(): Promise<string> {
    const file = `${this.#folder}/DevToolsActivePort`;
    using changes = Deno.watchFs(this.#folder);
    const read = async () => {
      const [port, path] = (await Deno.readTextFile(file).catch(() => "")).split("\n");
      return port && path ? `ws://127.0.0.1:${port}${path}` : undefined;
    };
    const early = await read();
    if (early !== undefined) return early;
    for await (const _ of changes) {
      const url = await read();
      if (url !== undefined) return url;
    }
    throw new Error("The browser does not listen");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "close");
    process.kill(-this.#child.pid!, "SIGTERM");
    await ended;
    // Processes of the browser may still write for a moment.
    await Deno.remove(this.#folder, { recursive: true }).catch(() => {});
  }
}

/** Returns the document that the browser shows at `url`, as if the user had typed it. */
export async function documentAt(url: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-browser-" });
  const args = argumentsFor(folder, ["--dump-dom", url]);
  const { stdout } = await new Deno.Command(PROGRAM, { args, stderr: "null" }).output();
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  return new TextDecoder().decode(stdout);
}

function argumentsFor(folder: string, more: readonly string[]): string[] {
  return [
    // The sandbox needs rights that a container does not give.
    "--no-sandbox",
    "--disable-gpu",
    `--user-data-dir=${folder}`,
    `--host-resolver-rules=MAP ${ATTACKER} 127.0.0.1`,
    ...more,
  ];
}

/** Forwards connections to a port that can be changed, and remembers the lines that requests begin with. */
export class Forwarder implements Disposable {
  /** The port that new connections are forwarded to. */
  target: number;
  /** The method and the path of each request that was forwarded. */
  readonly requests: string[] = [];
  readonly #listener: Deno.TcpListener = Deno.listen({ hostname: "127.0.0.1", port: 0 });

  constructor(target: number) {
    this.target = target;
    this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  async #accept(): Promise<void> {
    for await (const near of this.#listener) this.#forward(near).catch(() => {});
  }

  async #forward(near: Deno.TcpConn): Promise<void> {
    using _near = near;
    // Browsers open connections in advance: what counts is where the first request is to go.
    const first = new Uint8Array(65_536);
    const count = await near.read(first);
    if (count === null) return;
    this.#note(first.subarray(0, count));
    using far = await Deno.connect({ hostname: "127.0.0.1", port: this.target });
    await far.write(first.subarray(0, count));
    const there = (async () => {
      for await (const chunk of near.readable) {
        this.#note(chunk);
        await far.write(chunk);
      }
    })().catch(() => {});
    const back = (async () => {
      const buffer = new Uint8Array(65_536);
      for (let n = await far.read(buffer); n !== null; n = await far.read(buffer)) {
        await near.write(buffer.subarray(0, n));
      }
    })().catch(() => {});
    await Promise.race([there, back]);
  }

  #note(chunk: Uint8Array): void {
    const [, line] = /^([A-Z]+ \S+) HTTP\/1\.1\r\n/.exec(new TextDecoder().decode(chunk)) ?? [];
    if (line !== undefined) this.requests.push(line);
  }

  [Symbol.dispose](): void {
    this.#listener.close();
  }
}

/** The attacker's server, with the pages of the folder `browser`. */
export class AttackerSite implements AsyncDisposable {
  /** Resolves with what a page has reported. */
  readonly report: Promise<Readonly<Record<string, string>>>;
  /** Runs when a page asks for it. */
  onRebind: () => void = () => {};
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const reported = Promise.withResolvers<Record<string, string>>();
    this.report = reported.promise;
    const headers = { "content-type": "text/html", connection: "close" };
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/report") reported.resolve(await request.json());
        if (pathname === "/rebind") this.onRebind();
        if (!pathname.endsWith(".html")) return new Response("", { headers });
        const page = new URL(`browser${pathname}`, import.meta.url);
        return new Response(await Deno.readTextFile(fileURLToPath(page)), { headers });
      },
    );
  }

  get port(): number {
    return this.#server.addr.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
