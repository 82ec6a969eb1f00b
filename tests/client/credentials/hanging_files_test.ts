/** Tests of files that do not end, or do not begin: pipes, devices, file systems that do not answer. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions, loadConfig } from "../../../src/client/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { statusAnswer } from "../_scripted_fetch.ts";

/** Returns a client whose token file hangs from the second read on. */
function setUp(options: Partial<ClientOptions> = {}) {
  const clock = new VirtualClock();
  const state = { reads: 0, sent: [] as string[], lines: [] as string[], accepted: "first" };
  const hanging = Promise.withResolvers<string>();
  const client = new Client({
    fetch: (request) => {
      const token = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
      state.sent.push(token);
      return Promise.resolve(
        token === state.accepted ? Response.json({}) : statusAnswer(401, "Unauthorized"),
      );
    },
    tokenFile: "/mnt/token",
    readFile: () => ++state.reads === 1 ? Promise.resolve("first") : hanging.promise,
    clock,
    logger: { ...silentLogger, warn: (line: string) => void state.lines.push(line) },
    ...options,
  });
  return { clock, state, hanging, client, ask: () => client.get(Namespaces, "n") };
}

Deno.test("Client keeps its token while the token file hangs, and warns once", async () => {
  const { clock, state, hanging, ask, client } = setUp();
  await ask();
  await clock.advance(60_000);
  const waiting = [ask(), ask()];
  await clock.advance(1_000);
  await Promise.all(waiting);
  for (let minute = 0; minute < 100; minute++) {
    await clock.advance(60_000);
    await ask();
  }
  assertEquals(new Set(state.sent), new Set(["first"]));
  assertEquals([state.reads, state.lines], [2, [
    'Reading token file "/mnt/token" takes longer than 1 s; continuing with the last value',
  ]]);

  // It is used when it comes after all, and then read as before.
  hanging.resolve("second");
  state.accepted = "second";
  await clock.settle();
  await ask();
  await ask();
  assertEquals([state.sent.slice(-2), state.reads], [["second", "second"], 3]);
  await client.close();
});

Deno.test("Client keeps its token while the token file hangs and the clock stands still", async () => {
  const { clock, state, ask, client } = setUp();
  await ask();
  await clock.advance(60_000);
  await ask();
  await ask();
  assertEquals([state.sent, state.reads], [["first", "first", "first"], 2]);
  await client.close();
});

Deno.test("Client reports that the token file hangs if the server rejects the token", async () => {
  const { clock, state, ask, client } = setUp();
  await ask();
  state.accepted = "second";
  const asked = assertRejects(
    ask,
    Error,
    'Cannot read token file "/mnt/token": no content within 30 s',
  );
  await clock.advance(30_000);
  await asked;
  await client.close();
});

Deno.test("Client.close() and an abort end requests that wait for a token file", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { ask, client } = setUp({
    readFile: (_, { signal } = {}) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const asked = assertRejects(ask, Error, "Client is closed");
  const stop = new AbortController();
  const aborted = assertRejects(
    () => client.get(Namespaces, "n", { signal: stop.signal }),
    Error,
    "enough",
  );
  stop.abort(new Error("enough"));
  await aborted;
  await client.close();
  await asked;
  assertEquals(signals.map((signal) => signal?.aborted), [true]);
});

const ignore = process.platform === "win32";

/** Calls `use` with the path of a new named pipe. */
async function withPipe(use: (pipe: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pipe-"));
  try {
    const pipe = join(folder, "token");
    execFileSync("mkfifo", [pipe]);
    await use(pipe);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (!ignore) {
  Deno.test("Client reads a token from a pipe once it is written", async () => {
    await withPipe(async (tokenFile) => {
      const sent: (string | null)[] = [];
      await using client = new Client({
        fetch: (request) => {
          sent.push(request.headers.get("authorization"));
          return Promise.resolve(Response.json({}));
        },
        tokenFile,
      });
      const asked = client.get(Namespaces, "n");
      await new Promise((resolve) => setTimeout(resolve, 50));
      assertEquals(sent, []);
      const writer = createWriteStream(tokenFile);
      await new Promise((resolve) => writer.end("from-the-pipe\n", () => resolve(undefined)));
      await asked;
      assertEquals(sent, ["Bearer from-the-pipe"]);
    });
  });

  Deno.test("Client.close() stops reading from a pipe without a writer", async () => {
    await withPipe(async (tokenFile) => {
      const client = new Client({ fetch: () => Promise.reject(new Error("No")), tokenFile });
      const asked = assertRejects(() => client.get(Namespaces, "n"), Error, "Client is closed");
      await new Promise((resolve) => setTimeout(resolve, 50));
      await client.close();
      await asked;
    });
  });

  Deno.test("loadConfig() does not read a file without end to its end", async () => {
    const server = "https://127.0.0.1:9";
    const more = /"\/dev\/zero".*: it holds more than 16 MiB/;
    for (const options of [{ kubeconfig: "/dev/zero" }, { server, caFile: "/dev/zero" }]) {
      const error = await assertRejects(() => loadConfig(options), Error);
      assert(more.test(error.message), error.message);
    }
    const env = (name: string) => name === "KUBECONFIG" ? "/dev/zero" : undefined;
    assert(more.test((await assertRejects(() => loadConfig({ env }), Error)).message));
  });

  Deno.test("loadConfig() takes /dev/null for an empty file, and a folder for an error", async () => {
    const inNoPod = { kubeconfig: "/dev/null", env: () => undefined };
    await assertRejects(() => loadConfig(inNoPod), Error, '"/dev/null", which is empty');
    const folder = tmpdir();
    await assertRejects(() => loadConfig({ kubeconfig: folder }), Error, `"${folder}"`);
  });
}

Deno.test("loadConfig() reads large files, whatever their bytes are split into", async () => {
  const folder = await mkdtemp(join(tmpdir(), "large-"));
  try {
    const path = join(folder, "kubeconfig");
    const filler = "# ü€😀\n".repeat(100_000);
    await writeFile(
      path,
      `\uFEFF${filler}current-context: c\ncontexts: [{ name: c, context: { cluster: c, namespace: "ü" } }]\n` +
        `clusters: [{ name: c, cluster: { server: "http://127.0.0.1:1" } }]\n`,
    );
    assertEquals((await loadConfig({ kubeconfig: path })).namespace, "ü");
  } finally {
    await rm(folder, { recursive: true });
  }
});
