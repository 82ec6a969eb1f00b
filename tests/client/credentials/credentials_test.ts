import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client, type ClientOptions } from "../../../src/client/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { statusAnswer } from "../_scripted_fetch.ts";
import { TlsWorld } from "../_tls_world.ts";

/** Returns a server that accepts one token, and a client that reads its token from a file. */
function setUp() {
  const state = {
    clock: new VirtualClock(),
    file: "first\n" as string | undefined,
    accepted: undefined as string | undefined,
    reads: 0,
    sent: [] as string[],
    lines: [] as string[],
  };
  const client = new Client({
    fetch: (request) => {
      const token = request.headers.get("authorization") ?? "";
      state.sent.push(token.replace("Bearer ", ""));
      const refused = state.accepted !== undefined && token !== `Bearer ${state.accepted}`;
      return Promise.resolve(refused ? statusAnswer(401, "Unauthorized") : Response.json({}));
    },
    tokenFile: "/tok",
    readFile: () => {
      state.reads++;
      return state.file === undefined
        ? Promise.reject(new Error("ENOENT: no such file"))
        : Promise.resolve(state.file);
    },
    clock: state.clock,
    logger: { ...silentLogger, warn: (line: string) => void state.lines.push(line) },
  });
  return { state, ask: () => client.get(Namespaces, "n") };
}

Deno.test("Client reads its token file once a minute", async () => {
  const { state, ask } = setUp();
  await ask();
  state.file = "second";
  await state.clock.advance(59_999);
  await ask();
  await state.clock.advance(1);
  await ask();
  assertEquals([state.sent, state.reads], [["first", "first", "second"], 2]);
});

Deno.test("Client reads its token file again, once, when the server rejects the token", async () => {
  const { state, ask } = setUp();
  await ask();
  state.file = state.accepted = "second";
  await ask();
  assertEquals(state.sent, ["first", "first", "second"]);
  state.file = "third";
  state.accepted = "never";
  const error = await assertRejects(ask, Error);
  assert(error.message.includes("Unauthorized"));
  assertEquals(state.sent.slice(3), ["second", "third"]);
});

Deno.test("Client does not retry with the token that was rejected", async () => {
  const { state, ask } = setUp();
  state.accepted = "other";
  await assertRejects(ask, Error, "Unauthorized");
  assertEquals(state.sent, ["first"]);
});

Deno.test("Client keeps its token and logs a warning when the token file disappears", async () => {
  const { state, ask } = setUp();
  await ask();
  state.file = undefined;
  await state.clock.advance(60_000);
  await ask();
  await ask();
  assertEquals(state.sent, ["first", "first", "first"]);
  assertEquals([state.reads, state.lines.length], [2, 1]);
  assert(state.lines[0]!.includes('"/tok"'), state.lines[0]);
});

Deno.test("Client names a token file that it cannot read in the error", async () => {
  const { state, ask } = setUp();
  state.file = undefined;
  await assertRejects(ask, Error, 'Cannot read token file "/tok"');
  state.file = "  \n";
  await assertRejects(ask, Error, 'Token file "/tok" is empty');
  state.file = "two\nlines";
  const error = await assertRejects(ask, Error, 'token file "/tok" holds a line break');
  assert(!error.message.includes("two"));
  state.file = "first";
  await ask();
});

Deno.test("Client names the token file if the token is rejected and the file has disappeared", async () => {
  const { state, ask } = setUp();
  await ask();
  state.file = undefined;
  state.accepted = "other";
  await assertRejects(ask, Error, 'Cannot read token file "/tok"');
});

Deno.test("Client reads its token file once for concurrent requests", async () => {
  const { state, ask } = setUp();
  await Promise.all([ask(), ask(), ask()]);
  assertEquals([state.sent, state.reads], [["first", "first", "first"], 1]);
  await state.clock.advance(60_000);
  state.file = "second";
  await Promise.all([ask(), ask()]);
  assertEquals([state.sent.slice(3), state.reads], [["second", "second"], 2]);
});

Deno.test("Client does not treat an unreadable token file as a network failure", async () => {
  const clock = new VirtualClock();
  let reads = 0;
  await using client = new Client({
    fetch: () => Promise.reject(new Error("Not reached")),
    tokenFile: "/tok",
    readFile: () => {
      reads++;
      return Promise.reject(new Error("Connection reset by peer"));
    },
    clock,
    logger: silentLogger,
  });
  await assertRejects(() => client.watch(Namespaces), Error, 'Cannot read token file "/tok"');
  assertEquals(reads, 1);
});

Deno.test("Client runs no plugin beside a token, a user name or a client certificate, as client-go", async () => {
  await using world = await TlsWorld.create();
  const { cert: certData, key: keyData } = world.me;
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "not-installed" } as const;
  const files: Record<string, string> = { "/cert": certData, "/key": keyData, "/token": "t" };
  const readFile = (path: string) => Promise.resolve(files[path]!);
  const others: Partial<ClientOptions>[] = [
    { token: "t" },
    { tokenFile: "/token" },
    { username: "u" },
    { certData, keyData },
    { certFile: "/cert", keyFile: "/key" },
  ];
  for (const other of others) {
    await using client = world.client({ exec, readFile, ...other });
    await client.get(Namespaces, "n");
    assertEquals(client.requiredPermissions.command, undefined);
  }
  await using alone = world.client({ exec });
  await assertRejects(() => alone.get(Namespaces, "n"), Error, "was not found: install it");
  assertEquals(alone.requiredPermissions.command, "not-installed");
  // No token is sent, so plain http is safe.
  new Client({ server: "http://10.0.0.1", exec, certData, keyData });
});
