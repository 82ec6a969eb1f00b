/** The program `serve` as a process, on the runtime of the test: what it has answered survives a signal. */

import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { RawConnection } from "../support/raw_http.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

/** The arguments that start the program on this runtime, from the sources or from the installed package. */
const PROGRAM = "Deno" in globalThis
  ? "run --allow-net=127.0.0.1 --allow-read --allow-write src/testing/serve/main.ts".split(" ")
  : ["node_modules/@kubeloop/testing/serve.js"];

/** A running program that saves its state in a folder of its own. */
class Serving implements AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Resolves with the exit code; null if a signal has ended the process. */
  readonly exited: Promise<number | null>;
  /** The names of the objects that the program has acknowledged. */
  readonly acknowledged: string[] = [];
  /** The standard error of the program. */
  warned = "";

  private constructor(folder: string, port: number, child: ChildProcess) {
    this.folder = folder;
    this.port = port;
    this.child = child;
    this.exited = new Promise((resolve) => child.once("close", (code) => resolve(code)));
    child.stderr?.on("data", (text) => this.warned += text);
  }

  static async start(): Promise<Serving> {
    const folder = await mkdtemp(`${tmpdir()}/kubeloop-signals-`);
    const args = [...PROGRAM, "--port", "0", "--save", `${folder}/state`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
      printed += text;
      const [, port] = /# Serving http:\/\/127\.0\.0\.1:([0-9]+)/.exec(printed) ?? [];
      if (port !== undefined) {
        child.stdout!.resume();
        return new Serving(folder, Number(port), child);
      }
    }
    throw new Error(`The program has not started: ${printed}`);
  }

  signal(signal: "SIGTERM" | "SIGINT"): void {
    try {
      // child.kill() of Deno hides the exit code.
      process.kill(this.child.pid!, signal);
    } catch {
      // The process has ended.
    }
  }

  /** Creates a ConfigMap; reports whether the program has acknowledged it. */
  async create(name: string, length: number): Promise<boolean> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}${MAPS}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ metadata: { name }, data: { text: "x".repeat(length) } }),
      });
      if (response.status === 201) this.acknowledged.push(name);
      await response.text();
      return response.status === 201;
    } catch {
      return false;
    }
  }

  /** Creates ConfigMaps until the program no longer answers. */
  async createUntilGone(prefix: string): Promise<void> {
    for (let i = 0; await this.create(`${prefix}-${i}`, 2_000); i++);
  }

  /** Requires that everything acknowledged is in the file, and that no other file is left. */
  async assertSaved(): Promise<void> {
    const lines = (await readFile(`${this.folder}/state`, "utf8")).trim().split("\n").slice(1);
    const saved = new Set(lines.map((line) => JSON.parse(line).object.metadata.name));
    assertEquals(this.acknowledged.filter((name) => !saved.has(name)), []);
    assertEquals(await readdir(this.folder), ["state"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
    await rm(this.folder, { recursive: true });
  }
}

/** Opens what keeps a connection busy: watches that are not read, half a body, half a head. */
async function hang(port: number): Promise<Disposable> {
  const connections = Array.from({ length: 5 }, () => new RawConnection(port));
  const [body, head, ...watches] = connections;
  for (const watch of watches) {
    watch.send(`GET ${MAPS}?watch=1 HTTP/1.1\nHost: localhost\n\n`);
    await watch.received(/\r\n\r\n/);
    watch.stall();
  }
  body?.send(`POST ${MAPS} HTTP/1.1\nHost: localhost\nContent-Length: 100\n\n{`);
  head?.send("GET /api/v1/pods HTTP/1.1\nHost: loc");
  return {
    [Symbol.dispose]() {
      for (const connection of connections) connection[Symbol.dispose]();
    },
  };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`serve saves what it has acknowledged before ${signal}, with stalled watches`, async () => {
    await using serving = await Serving.start();
    using _hanging = await hang(serving.port);
    // More than the sockets of the watches take.
    for (let i = 0; i < 40; i++) assert(await serving.create(`large-${i}`, 500_000));
    assert(await serving.create("last", 1));
    serving.signal(signal);
    assertEquals(await serving.exited, 0, serving.warned);
    assertEquals(serving.warned, "stopping\n");
    await serving.assertSaved();
  });
}

slowTest(
  "serve saves what it acknowledges while it stops, also when more signals come",
  async () => {
    await using serving = await Serving.start();
    using _hanging = await hang(serving.port);
    const writers = ["a", "b", "c"].map((prefix) => serving.createUntilGone(prefix));
    for (let i = 0; serving.acknowledged.length < 50; i++) await serving.create(`first-${i}`, 10);
    serving.signal("SIGTERM");
    while (serving.warned === "") await new Promise((resolve) => setTimeout(resolve, 1));
    for (const signal of ["SIGTERM", "SIGINT", "SIGTERM"] as const) serving.signal(signal);
    await Promise.all([...writers, serving.exited]);
    await serving.assertSaved();
  },
);

slowTest("serve saves its state when its output is closed", async () => {
  await using serving = await Serving.start();
  assert(await serving.create("one", 1));
  serving.child.stdout?.destroy();
  serving.child.stderr?.destroy();
  serving.signal("SIGTERM");
  assertEquals(await serving.exited, 0);
  await serving.assertSaved();
});
