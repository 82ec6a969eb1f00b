/** The program `serve --save` as a process, on the runtime of the test, which is killed again and again. */

import { assert, assertEquals } from "@std/assert";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { silentLogger } from "../../src/base/mod.ts";
import { SharedInformer } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { type ConfigMap, ConfigMaps } from "../../src/types/mod.ts";
import type { SeededRandom } from "../../src/testing/mod.ts";
import { forEachSeed, scaled } from "../support/seeded_runs.ts";
import { nightlyTest, slowTest } from "../support/kinds_of_tests.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const ROUNDS = 1 + scaled(4);
const WRITERS = 4;

/** The arguments that start the program on this runtime, from the sources or from the installed package. */
const PROGRAM = "Deno" in globalThis
  ? "run --no-check --allow-net=127.0.0.1 --allow-read --allow-write src/testing/serve/main.ts"
    .split(" ")
  : ["node_modules/@kubeloop/testing/serve.js"];

/** A running program. */
class Program {
  readonly port: number;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.child = child;
    this.ended = new Promise((resolve) => child.once("close", () => resolve()));
  }

  /** Starts the program. Returns what it has printed to standard error instead if it ends. */
  static async start(save: string, ...more: string[]): Promise<Program | string> {
    const args = [...PROGRAM, "--port", "0", "--save", save, ...more];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let [printed, warned] = ["", ""];
    child.stderr?.on("data", (text) => warned += text);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
      printed += text;
      const [, port] = /# Serving http:\/\/127\.0\.0\.1:([0-9]+)/.exec(printed) ?? [];
      if (port !== undefined) {
        child.stdout!.resume();
        return new Program(Number(port), child);
      }
    }
    await closed;
    return warned;
  }

  /** Ends the process as a crash does. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/** A writer's knowledge about its object. */
interface Known {
  /** The data that the server has acknowledged; undefined for no object. */
  acknowledged: string | undefined;
  /** The write without an answer: it may have happened, or not. */
  unanswered: { readonly data: string | undefined } | undefined;
}

/** Everything that the server has acknowledged to clients, across all crashes. */
class Truth {
  readonly known = new Map<string, Known>();
  readonly versions = new Set<string>();
  newest = 0;
  writes = 0;

  /** Notes the resource version of a write, which must be new and greater than any that was seen. */
  wrote(version: string): void {
    assert(!this.versions.has(version), `The resource version ${version} was used again`);
    this.versions.add(version);
    this.saw(version);
    this.writes++;
  }

  saw(version: string): void {
    this.newest = Math.max(this.newest, Number(version));
  }

  /** Requires that the server has the objects that it has acknowledged. */
  check(items: readonly ConfigMap[]): void {
    const present = new Map(items.map(({ metadata, data }) => [metadata.name!, data?.["n"]]));
    for (const [name, known] of this.known) {
      const now = present.get(name);
      const allowed = [known.acknowledged, ...(known.unanswered ? [known.unanswered.data] : [])];
      assert(allowed.includes(now), `${name} is ${now} instead of ${allowed.join(" or ")}`);
      this.known.set(name, { acknowledged: now, unanswered: undefined });
    }
  }
}

interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any
  readonly json: any;
}

async function call(port: number, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

/** Creates, changes and deletes objects until the server is gone. */
async function writeUntilGone(
  port: number,
  truth: Truth,
  { prefix, random, onWrite }: { prefix: string; random: SeededRandom; onWrite: () => void },
): Promise<void> {
  for (let i = 0;; i++) {
    const name = `${prefix}-${Math.floor(random.next() * 6)}`;
    const known = truth.known.get(name) ?? { acknowledged: undefined, unanswered: undefined };
    truth.known.set(name, known);
    const [path, n] = [`${MAPS}/${name}`, `${i}-${random.next()}`];
    // From time to time a large object, so that a kill comes in the middle of a record.
    const data = { n, text: "x".repeat(random.next() < 0.2 ? 300_000 : 10) };
    const remove = known.acknowledged !== undefined && random.next() < 0.3;
    known.unanswered = { data: remove ? undefined : n };
    let answer: Answer;
    try {
      answer = remove
        ? await call(port, "DELETE", path)
        : known.acknowledged === undefined
        ? await call(port, "POST", MAPS, { metadata: { name }, data })
        : await call(port, "PATCH", path, { data });
    } catch {
      return;
    }
    assert(answer.status === 200 || answer.status === 201, JSON.stringify(answer.json));
    known.acknowledged = remove ? undefined : n;
    known.unanswered = undefined;
    if (remove) truth.writes++;
    else truth.wrote(answer.json.metadata.resourceVersion);
    onWrite();
  }
}

/** Returns the first line of a watch. */
async function firstLine(port: number, version: string): Promise<{ type: string; code?: number }> {
  const stop = new AbortController();
  const path = `${MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: stop.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The watch has ended without a line");
    text += value;
  }
  await reader.cancel().catch(() => {});
  stop.abort();
  const { type, object } = JSON.parse(text.split("\n")[0]!);
  return { type, code: object.code };
}

for (const [register, flags] of [[slowTest, []], [nightlyTest, ["--fsync"]]] as const) {
  const what = ["--save", ...flags].join(" ");
  register(`serve ${what} loses and repeats nothing when it is killed`, async () => {
    const folder = await mkdtemp(`${tmpdir()}/kubeloop-crash-`);
    try {
      await forEachSeed(1, (random) => crashes(`${folder}/state`, random, flags));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

async function crashes(
  save: string,
  random: SeededRandom,
  flags: readonly string[],
): Promise<void> {
  const truth = new Truth();
  let program = await Program.start(save, ...flags);
  assert(typeof program !== "string", String(program));
  let { port } = program;
  await using client = new Client({
    logger: silentLogger,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const { headers, method, signal } = request;
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers, method, signal });
    },
  });
  const scope = client.listerWatcher(ConfigMaps, { namespace: "default" });
  const informer = new SharedInformer(scope, {
    logger: silentLogger,
    backoff: { durationMs: 5, factor: 2, jitter: 0, steps: 38, capMs: 50 },
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const end = truth.writes + 10 + Math.floor(random.next() * 60);
      const { child } = program;
      const onWrite = () => {
        if (truth.writes >= end) child.kill("SIGKILL");
      };
      const writers = Array.from(
        { length: WRITERS },
        (_, n) =>
          writeUntilGone(port, truth, {
            prefix: `w${n}`,
            random: random.fork(`${round} ${n}`),
            onWrite,
          }),
      );
      await Promise.all([...writers, program.ended]);
      // The lock of the process that is gone is taken over.
      program = await Program.start(save, ...flags);
      assert(typeof program !== "string", String(program));
      port = program.port;
      const seen = String(truth.newest);
      assertEquals(await firstLine(port, seen), { type: "ERROR", code: 410 });
      const { items, metadata } = (await call(port, "GET", MAPS)).json;
      assert(Number(metadata.resourceVersion) > truth.newest, metadata.resourceVersion);
      truth.saw(metadata.resourceVersion);
      truth.check(items);
      const other = await Program.start(save, ...flags);
      assert(typeof other === "string" && other.includes("in use by"), "Two servers use one file");
    }
    const last = await call(port, "POST", MAPS, { metadata: { name: "last" } });
    truth.wrote(last.json.metadata.resourceVersion);
    while (informer.indexer.getByKey("default/last") === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const { items } = (await call(port, "GET", MAPS)).json;
    const inCache = informer.indexer.list().map(({ metadata, data }) =>
      `${metadata.name} ${metadata.resourceVersion} ${data?.["n"]}`
    );
    const onServer = items.map(({ metadata, data }: ConfigMap) =>
      `${metadata.name} ${metadata.resourceVersion} ${data?.["n"]}`
    );
    assertEquals(inCache.sort(), onServer.sort());
  } finally {
    stop.abort();
    await running;
    if (typeof program !== "string") await program.kill();
  }
}

slowTest("serve --save leaves no files of a killed process behind after a proper end", async () => {
  const folder = await mkdtemp(`${tmpdir()}/kubeloop-crash-`);
  try {
    const first = await Program.start(`${folder}/state`);
    assert(typeof first !== "string");
    await call(first.port, "POST", MAPS, { metadata: { name: "a" } });
    await first.kill();
    assertEquals((await readdir(folder)).sort(), ["state", "state.lock", "state.log-1"]);
    const second = await Program.start(`${folder}/state`);
    assert(typeof second !== "string");
    assertEquals((await call(second.port, "GET", `${MAPS}/a`)).status, 200);
    second.child.kill("SIGTERM");
    await second.ended;
    assertEquals(await readdir(folder), ["state"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
