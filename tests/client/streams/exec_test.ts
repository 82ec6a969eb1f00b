import { assert, assertEquals, assertRejects } from "@std/assert";
import { TerminalError } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { Pods, StatusError } from "../../../src/types/mod.ts";
import { NAMESPACE, PodWorld, shell } from "./_pods.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;

for (const over of ["process", "socket"] as const) {
  Deno.test(`exec() over a ${over} returns the exit code and the output of a command`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const { client } = world;
    assertEquals(await client.exec("web", ["echo", "a", "ü"], { namespace }), {
      exitCode: 0,
      stdout: "a ü\n",
      stderr: "",
    });
    assertEquals(await client.exec("web", ["fail", "3"], { namespace }), {
      exitCode: 3,
      stdout: "",
      stderr: "it failed\n",
    });
    const pod = await client.get(Pods, "web", { namespace });
    assertEquals((await client.exec(pod, ["echo", "b"], { container: "web" })).stdout, "b\n");
    await world.untilQuiet();
  });

  Deno.test(`exec() over a ${over} sends stdin and ends it`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const { client } = world;
    const parts = async function* () {
      yield "a";
      yield new TextEncoder().encode("b");
    };
    const stream = new Blob(["hello"]).stream();
    for (const [stdin, expected] of [["", ""], ["x", "x"], [parts(), "ab"], [stream, "hello"]]) {
      const { stdout } = await client.exec("web", ["cat"], { namespace, stdin: stdin as string });
      assertEquals(stdout, expected);
    }
  });

  Deno.test(`exec() over a ${over} carries 100 MB through cat, in bounded memory`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const size = 100 * MIB;
    const sums = { sent: 0, received: 0 };
    const received = { bytes: 0 };
    let sent = 0;
    let furthest = 0;
    const stdin = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = new Uint8Array(MIB);
        for (let at = 0; at < part.length; at += 4093) {
          part[at] = (sent + at) % 251;
          sums.sent = (sums.sent * 31 + part[at]!) >>> 0;
        }
        sent += part.length;
        furthest = Math.max(furthest, sent - received.bytes);
        controller.enqueue(part);
        if (sent >= size) controller.close();
      },
    }, { highWaterMark: 0 });
    const stdout = new WritableStream<Uint8Array>({
      write: (chunk) => {
        // The same bytes as above, wherever the chunks are cut.
        for (let at = 0; at < chunk.length; at++) {
          if ((received.bytes + at) % MIB % 4093 === 0) {
            sums.received = (sums.received * 31 + chunk[at]!) >>> 0;
          } else if (chunk[at] !== 0) throw new Error("a byte is wrong");
        }
        received.bytes += chunk.length;
      },
    });
    const { exitCode } = await world.client.exec("web", ["cat"], { namespace, stdin, stdout });
    assertEquals(exitCode, 0);
    assertEquals(received.bytes, size);
    assertEquals(sums.received, sums.sent);
    assert(furthest < 20 * MIB, `${furthest} bytes were under way`);
  });

  Deno.test(`exec() over a ${over} ends when the signal aborts, the time is up, the client closes`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const { client } = world;
    const reason = new Error("enough");
    const stop = new AbortController();
    const stdout = new WritableStream<Uint8Array>({ write: () => stop.abort(reason) });
    const { signal } = stop;
    const error = await assertRejects(() =>
      client.exec("web", ["sleep"], { namespace, signal, stdout })
    );
    assertEquals(error, reason);
    await assertRejects(
      () => client.exec("web", ["sleep"], { namespace, timeoutMs: 50 }),
      DOMException,
      "longer than 50 ms",
    );
    const running = assertRejects(
      () => client.exec("web", ["sleep"], { namespace }),
      TerminalError,
    );
    await client.close();
    await running;
    await world.untilQuiet();
  });

  Deno.test(`exec() over a ${over} names a server that is gone`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const { client, server } = world;
    const stdout = new WritableStream<Uint8Array>({ write: () => server.restart() });
    await assertRejects(
      () => client.exec("web", ["sleep"], { namespace, stdout }),
      Error,
      "pods/web/exec failed: ",
    );
    await world.untilQuiet();
  });

  Deno.test(`exec() over a ${over} is refused with a StatusError`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const { client } = world;
    const refused = async (code: number, message: string, call: () => Promise<unknown>) => {
      const error = await assertRejects(call);
      assert(StatusError.is(error), `${error}`);
      assertEquals([error.code, error.message.includes(message)], [code, true], error.message);
    };
    await refused(404, 'pods "nope" not found', () => client.exec("nope", ["ls"], { namespace }));
    await refused(
      400,
      "container x is not valid for pod web",
      () => client.exec("web", ["ls"], { namespace, container: "x" }),
    );
    await refused(
      500,
      'exec: "nope": executable file not found in $PATH',
      () => client.exec("web", ["nope"], { namespace }),
    );
    await world.setPhase("web", "Succeeded");
    await refused(
      500,
      'container not found ("web")',
      () => client.exec("web", ["ls"], { namespace }),
    );
  });
}

Deno.test("exec() ends with 137 when the Pod is deleted", async () => {
  await using world = await PodWorld.create([shell]);
  const { client } = world;
  const stdout = new WritableStream<Uint8Array>({
    write: async () => void await client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 }),
  });
  const { exitCode } = await client.exec("web", ["sleep"], { namespace, stdout });
  assertEquals(exitCode, 137);
});

Deno.test("exec() continues when its Pod changes, and when another Pod is deleted", async () => {
  await using world = await PodWorld.create([shell]);
  const { client } = world;
  const stdin = async function* () {
    yield "a";
    await world.run("other");
    await client.delete(Pods, "other", { namespace, gracePeriodSeconds: 0 });
    await client.patch(Pods, "web", { metadata: { labels: { a: "b" } } }, { namespace });
    yield "b";
  };
  const { exitCode, stdout } = await client.exec("web", ["cat"], { namespace, stdin: stdin() });
  assertEquals([exitCode, stdout], [0, "ab"]);
});

Deno.test("exec() refuses more output than maxOutputBytes", async () => {
  await using world = await PodWorld.create([shell]);
  const { client, server } = world;
  const exec = (maxOutputBytes: number) =>
    client.exec("web", ["zeros", "1000"], { namespace, maxOutputBytes });
  assertEquals((await exec(1000)).stdout.length, 1000);
  await assertRejects(() => exec(999), RangeError, "stdout is longer than maxOutputBytes (999)");
  assertEquals(server.openStreams, 0);
});

Deno.test("exec() rejects with the error of a source or a stream that was given", async () => {
  await using world = await PodWorld.create([shell]);
  const { client } = world;
  const stdin = async function* () {
    yield "a";
    throw new Error("the disk is gone");
  };
  await assertRejects(
    () => client.exec("web", ["cat"], { namespace, stdin: stdin() }),
    Error,
    "the disk is gone",
  );
  const stdout = new WritableStream<Uint8Array>({
    write: () => {
      throw new Error("the disk is full");
    },
  });
  await assertRejects(
    () => client.exec("web", ["zeros", "1000000"], { namespace, stdout }),
    Error,
    "the disk is full",
  );
});

Deno.test("exec() stops a source without a reader", async () => {
  await using world = await PodWorld.create([shell]);
  let stopped = false;
  const stdin: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        stopped = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const { exitCode } = await world.client.exec("web", ["echo"], { namespace, stdin });
  assertEquals([exitCode, stopped], [0, true]);
});

Deno.test("exec() tells a terminal its size", async () => {
  await using world = await PodWorld.create([shell]);
  const resize = async function* () {
    yield { columns: 80, rows: 24 };
  };
  const { stdout } = await world.client.exec("web", ["size"], {
    namespace,
    tty: true,
    resize: resize(),
  });
  assertEquals(stdout, "true 80x24");
});

Deno.test("openExec() gives the streams of a command", async () => {
  await using world = await PodWorld.create([shell]);
  await using streams = await world.client.openExec("web", ["cat"], {
    namespace,
    stdin: true,
    stderr: false,
  });
  assertEquals([streams.stderr, streams.canEndStdin], [undefined, true]);
  const writer = streams.stdin!.getWriter();
  const reader = streams.stdout!.getReader();
  for (const word of ["a", "b"]) {
    await writer.write(new TextEncoder().encode(word));
    assertEquals(new TextDecoder().decode((await reader.read()).value), word);
  }
  await writer.close();
  assertEquals((await reader.read()).done, true);
  assertEquals(await streams.exited, 0);
});

Deno.test("openExec(), attach() and openAttach() check their options", async () => {
  await using client = new Client({ fetch: () => Promise.reject(new Error("a request was made")) });
  const options = { namespace, stdn: true } as Record<string, unknown>;
  const calls: Record<string, () => Promise<unknown>> = {
    "openExec()": () => client.openExec("web", ["ls"], options),
    "attach()": () => client.attach("web", options),
    "openAttach()": () => client.openAttach("web", options),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assertRejects(call, TypeError, `${name} has no option "stdn": did you mean "std`);
  }
});

Deno.test("exec() survives a source of sizes whose return() throws", async () => {
  await using world = await PodWorld.create([shell]);
  const resize = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => {}),
      return: () => {
        throw new Error("broken");
      },
    }),
  };
  const options = { namespace, resize, tty: true };
  assertEquals((await world.client.exec("web", ["echo", "a"], options)).stdout, "a\n");
  await new Promise((resolve) => setTimeout(resolve, 0));
});

Deno.test("exec() checks its arguments before any request", async () => {
  await using client = new Client({ fetch: () => Promise.reject(new Error("a request was made")) });
  const exec = client.exec.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const cases: readonly (readonly [unknown[], string])[] = [
    [["web", ["ls"]], "namespace"],
    [[{ metadata: { name: "web" } }, ["ls"]], "namespace"],
    [[{ metadata: { name: "a", namespace: "b" } }, ["ls"], { namespace: "c" }], "leave one"],
    [[undefined, ["ls"], { namespace }], "Invalid pod"],
    [["web", "ls", { namespace }], "Invalid command"],
    [["web", [], { namespace }], "Invalid command"],
    [["web", ["ls"], { namespace, stdin: 5 }], "Invalid stdin"],
    [["web", ["ls"], { namespace, tty: "yes" }], "tty must be true or false"],
    [["web", ["ls"], { namespace, stdout: [] }], "stdout to be a WritableStream"],
    [["web", ["ls"], { namespace, resize: [] }], "resize must be an async iterable"],
    [["web", ["ls"], { namespace, maxOutputBytes: "1" }], "maxOutputBytes must be a whole number"],
    [["web", ["ls"], { namespace, timeoutMs: "1" }], "timeoutMs must be a number"],
    [["web", ["ls"], { namespace, signal: {} }], "an AbortSignal"],
    [["web", ["ls"], { namespace, timeout: 1 }], 'exec() has no option "timeout"'],
    [["web", ["ls"], null], "exec() takes an object with options"],
    [["web", ["ls"], { namespace, container: "" }], "Invalid container"],
    [["web", ["ls"], { namespace }], "give it an upgrade too"],
  ];
  for (const [args, message] of cases) {
    const error = await assertRejects(() => exec(...args), Error);
    assert(error.message.includes(message), error.message);
  }
});
