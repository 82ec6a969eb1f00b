import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { networkFailure, TerminalError } from "../../../src/base/mod.ts";
import { Client, type WatchStream } from "../../../src/client/mod.ts";
import { isExpired, Pods, StatusError, type WatchEvent } from "../../../src/types/mod.ts";
import { packer, unpacked } from "../../cache/packed/_packed.ts";
import { bodyOf, ScriptedFetch } from "../_scripted_fetch.ts";
import { assertProperty, fuzz } from "../../support/seeded_runs.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

const lineOf = (type: string, name: string) =>
  `${JSON.stringify({ type, object: { metadata: { name, resourceVersion: "1" } } })}\n`;

/** Returns a watch of a response with `body`. */
async function watchOf(
  body: ReadableStream<Uint8Array> | string | null,
  options: { signal?: AbortSignal; maxWatchLineBytes?: number } = {},
) {
  const { fetch } = new ScriptedFetch(new Response(body));
  const client = new Client({ fetch, maxWatchLineBytes: options.maxWatchLineBytes });
  return await client.watch(Pods, { signal: options.signal });
}

/** Iterates a watch to its end. Returns the events, and the error if iteration throws. */
type Drain = (watch: WatchStream) => Promise<{ events: WatchEvent[]; error: unknown }>;

/** The ways to read a watch, which must return the same events and errors. */
const WAYS: Readonly<Record<string, Drain>> = {
  "one at a time": async (watch) => {
    const events: WatchEvent[] = [];
    try {
      for await (const event of watch) events.push(event);
      return { events, error: undefined };
    } catch (error) {
      return { events, error };
    }
  },
  "in batches": (watch) => drainBatches(() => watch.batches()),
  "as bytes": (watch) => drainBatches(() => watch.batches(packer())),
};

async function drainBatches(batches: () => AsyncIterable<readonly WatchEvent[]>) {
  const events: WatchEvent[] = [];
  try {
    for await (const batch of batches()) events.push(...batch);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

function testAllWays(
  name: string,
  run: (drain: Drain) => Promise<void>,
  register: (name: string, body: () => Promise<void>) => void = (name, body) =>
    Deno.test(name, body),
): void {
  for (const [way, drain] of Object.entries(WAYS)) register(`${name} (${way})`, () => run(drain));
}

const namesOf = (events: WatchEvent[]) => events.map((event) => `${event.type} ${nameOf(event)}`);
const nameOf = (event: WatchEvent) =>
  (event.object as { metadata: { name?: string } }).metadata.name;

testAllWays(
  "Client.watch() replays the article's Pods: 2 added, 3 modified, 1 deleted",
  async (drain) => {
    const text = await Deno.readTextFile(
      new URL("../../testdata/article_pods_watch.ndjson", import.meta.url),
    );
    const { events, error } = await drain(await watchOf(text));
    assertEquals(error, undefined);
    assertEquals(
      events.map((event) => event.type),
      ["ADDED", "ADDED", "MODIFIED", "MODIFIED", "MODIFIED", "DELETED"],
    );
    const last = events.at(-1) as WatchEvent & { type: "DELETED" };
    assertEquals(last.object.metadata.resourceVersion, "760032");
  },
  (name, body) => testOn(["deno"], "reads a file beside the test", name, body),
);

testAllWays("WatchStream yields bookmarks and skips blank lines", async (drain) => {
  const watch = await watchOf(`\n${lineOf("BOOKMARK", "b")}\r\n  \n${lineOf("ADDED", "a")}\n\n`);
  const { events, error } = await drain(watch);
  assertEquals(error, undefined);
  assertEquals(namesOf(events), ["BOOKMARK b", "ADDED a"]);
});

testAllWays("WatchStream accepts a complete last line without a line break", async (drain) => {
  const { events, error } = await drain(await watchOf(lineOf("ADDED", "a").trimEnd()));
  assertEquals([namesOf(events), error], [["ADDED a"], undefined]);
});

for (const cut of [1, 10, 40, 70]) {
  testAllWays(
    `WatchStream never delivers an incomplete line: cut after ${cut} characters`,
    async (drain) => {
      const text = lineOf("ADDED", "a") + lineOf("ADDED", "b").slice(0, cut);
      const { events, error } = await drain(await watchOf(text));
      assertEquals([namesOf(events), error], [["ADDED a"], undefined]);
    },
  );
}

testAllWays("WatchStream throws an ERROR event as a StatusError", async (drain) => {
  const status = {
    kind: "Status",
    status: "Failure",
    message: "too old resource version: 206 (260)",
    reason: "Expired",
    code: 410,
    details: { retryAfterSeconds: 3 },
  };
  const line = JSON.stringify({ type: "ERROR", object: status });
  const { events, error } = await drain(await watchOf(`${lineOf("ADDED", "a")}${line}\n`));
  assertEquals(namesOf(events), ["ADDED a"]);
  assert(StatusError.is(error) && isExpired(error));
  assertEquals([error.code, error.message, error.retryAfterMs], [410, status.message, 3000]);
});

for (
  const [what, line, message] of [
    ["a line that is not JSON", '{"type":"ADDED"', "not JSON"],
    ["a web page", "<html><body>Sign in</body></html>", "<html><body>Sign in"],
    ["an event without object", '{"type":"ADDED"}', "with an object"],
    ["an event whose object is null", '{"type":"ADDED","object":null}', "with an object"],
    ["an event whose object is a list", '{"type":"ADDED","object":[]}', "with an object"],
    ["JSON that is not an object", "null", "with an object"],
    ["an unknown type", '{"type":"RENAMED","object":{}}', "RENAMED"],
    ["an ERROR event without a Status", '{"type":"ERROR","object":{"kind":"Pod"}}', 'but "Pod"'],
    [
      "an ERROR event without a kind",
      '{"type":"ERROR","object":{}}',
      'but "something without a kind"',
    ],
  ] as const
) {
  testAllWays(`WatchStream ends with an internal error on ${what}`, async (drain) => {
    const text = `${lineOf("ADDED", "a")}${line}\n${lineOf("ADDED", "b")}`;
    const { events, error } = await drain(await watchOf(text));
    assertEquals(namesOf(events), ["ADDED a"]);
    assert(StatusError.is(error), String(error));
    assertEquals([error.code, error.reason], [500, "InternalError"]);
    assert(error.message.includes(message), error.message);
  });
}

testAllWays(
  "WatchStream takes an ERROR event with a code as a Status, even without a kind",
  async (drain) => {
    const object = { code: 410, reason: "Expired", message: "too old" };
    const { error } = await drain(await watchOf(`${JSON.stringify({ type: "ERROR", object })}\n`));
    assert(StatusError.is(error) && isExpired(error), String(error));
    assertEquals([error.code, error.message], [410, "too old"]);
  },
);

testAllWays(
  "WatchStream reports garbage immediately, while the connection stays open",
  async (drain) => {
    const { error } = await drain(await watchOf(bodyOf(["garbage\n"], "open")));
    assert(
      StatusError.is(error) && error.status.details?.causes?.[0]?.reason === "ClientWatchDecoding",
    );
  },
);

testAllWays("WatchStream reports a web page without any line break", async (drain) => {
  const { error } = await drain(await watchOf("<html>Sign in</html>"));
  assert(StatusError.is(error));
});

testAllWays("WatchStream does not show a line that may be a Secret in its error", async (drain) => {
  const { error } = await drain(await watchOf('{"data":{"k":"aHVudGVy" oops}}\n'));
  assert(StatusError.is(error));
  assert(!`${error.stack}${JSON.stringify(error.status)}`.includes("aHVudGVy"));
});

testAllWays("WatchStream limits the length of a line and names the limit", async (drain) => {
  let cancelled = false;
  const endless = bodyOf([lineOf("ADDED", "a"), "x".repeat(60), "x".repeat(60)], "open", () => {
    cancelled = true;
  });
  const { events, error } = await drain(await watchOf(endless, { maxWatchLineBytes: 100 }));
  assertEquals(namesOf(events), ["ADDED a"]);
  assert(StatusError.is(error) && error.message.includes("100 bytes"), String(error));
  assert(cancelled);
});

testAllWays("WatchStream accepts a line of exactly the maximum length", async (drain) => {
  const line = lineOf("ADDED", "a");
  const watch = await watchOf(line + line, { maxWatchLineBytes: line.length - 1 });
  assertEquals((await drain(watch)).events.length, 2);
});

testAllWays(
  "WatchStream delivers all complete lines before it reports a network failure",
  async (drain) => {
    const failure = new TypeError("error reading a body from connection");
    const body = bodyOf([
      lineOf("ADDED", "a") + lineOf("ADDED", "b"),
      lineOf("ADDED", "c").slice(0, 20),
    ], failure);
    const { events, error } = await drain(await watchOf(body));
    assertEquals(namesOf(events), ["ADDED a", "ADDED b"]);
    assert(networkFailure(error) === "eof" && (error as Error).cause === failure, String(error));
  },
);

testAllWays("WatchStream reports any failure of the body as a network failure", async (drain) => {
  const { error } = await drain(await watchOf(bodyOf([], new Error("something odd"))));
  assert(networkFailure(error) !== undefined);
});

testAllWays("WatchStream of a response without a body ends immediately", async (drain) => {
  assertEquals(await drain(await watchOf(null)), { events: [], error: undefined });
});

Deno.test("WatchStream cancels the body when a loop is left", async () => {
  let cancelled = 0;
  const watch = await watchOf(bodyOf([lineOf("ADDED", "a")], "open", () => void cancelled++));
  for await (const _event of watch) break;
  await watch.close();
  assertEquals(cancelled, 1);
});

testAllWays("WatchStream.close() cancels the body of an unread stream", async (drain) => {
  let cancelled = false;
  const watch = await watchOf(bodyOf([lineOf("ADDED", "a")], "open", () => {
    cancelled = true;
  }));
  await watch.close();
  assert(cancelled);
  assertEquals((await drain(watch)).events, []);
});

Deno.test("WatchStream.close() ends a pending read", async () => {
  const watch = await watchOf(bodyOf([], "open"));
  const next = watch[Symbol.asyncIterator]().next();
  await watch.close();
  assertEquals(await next, { done: true, value: undefined });
});

Deno.test("WatchStream iteration throws the signal's reason, also when the body ignores it", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const watch = await watchOf(bodyOf([lineOf("ADDED", "a")], "open"), { signal: stop.signal });
  const seen: string[] = [];
  const error = await assertRejects(async () => {
    for await (const event of watch) {
      seen.push(event.type);
      stop.abort(reason);
    }
  });
  assertStrictEquals(error, reason);
  assertEquals(seen, ["ADDED"]);
});

testAllWays("WatchStream can be iterated only once", async (drain) => {
  const watch = await watchOf(lineOf("ADDED", "a"));
  await drain(watch);
  assertEquals((await drain(watch)).error instanceof TypeError, true);
});

testAllWays("Client.close() ends a watch and cancels its body", async (drain) => {
  let cancelled = false;
  const body = bodyOf([lineOf("ADDED", "a")], "open", () => {
    cancelled = true;
  });
  const client = new Client({ fetch: new ScriptedFetch(new Response(body)).fetch });
  const draining = drain(await client.watch(Pods));
  await client.close();
  const { error } = await draining;
  assert(TerminalError.is(error) && error.message.startsWith("Client is closed"));
  assert(cancelled);
});

testAllWays("WatchStream keeps U+FEFF in a name, also at the start of a chunk", async (drain) => {
  const bytes = new TextEncoder().encode(lineOf("ADDED", "a\ufeffb"));
  const at = bytes.indexOf(0xef);
  for (const sizes of [[at, 100], [at, 3, 100], [1]]) {
    const { events, error } = await drain(await watchOf(bodyOf(cut(bytes, sizes))));
    assertEquals([events.map(nameOf), error], [["a\ufeffb"], undefined]);
  }
});

/** Splits the bytes into chunks of these sizes, which are repeated as needed. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0, i = 0; start < bytes.length; i++) {
    const end = start + sizes[i % sizes.length]!;
    chunks.push(bytes.slice(start, end));
    start = end;
  }
  return chunks;
}
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 });

testAllWays("WatchStream returns the same events however the bytes are split", async (drain) => {
  const name = fc.string({ unit: "grapheme", maxLength: 12 });
  await assertProperty(fc.asyncProperty(
    fc.array(name, { maxLength: 8 }),
    sizes,
    fc.boolean(),
    fc.boolean(),
    async (names, sizes, crlf, isMarked) => {
      const text = names.map((name) => lineOf("MODIFIED", name)).join("");
      const lines = crlf ? text.replaceAll("\n", "\r\n") : text;
      const bytes = new TextEncoder().encode(isMarked ? `\ufeff${lines}` : lines);
      const { events, error } = await drain(await watchOf(bodyOf(cut(bytes, sizes))));
      assertEquals(error, undefined);
      assertEquals(events.map(nameOf), names);
    },
  ));
});

Deno.test("WatchStream returns the same events and errors in all ways, whatever the bytes and the chunks are", async () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 8 }).map((name) => lineOf("ADDED", name)),
    fc.constantFrom(
      "\n",
      " \t\n",
      "\ufeff\n",
      `\ufeff${lineOf("ADDED", "marked")}`,
      "garbage\n",
      '{"type":"ADDED"',
      '{"type":"ADDED","object":null}\n',
      '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
      '{"type":"BOOKMARK","object":{"metadata":{"name":"b","resourceVersion":"9"}}}\n',
      '{"type":"MODIFIED","object":{"metadata":{"name":5}}}\n',
      '{"type":"MODIFIED","object":{"kind":"Pod"}}\n',
      "\u0000\n",
    ),
  );
  const cutOff = new TextEncoder().encode(lineOf("ADDED", "ä€😀").trimEnd());
  await assertProperty(
    fc.asyncProperty(
      fc.array(line, { maxLength: 5 }),
      fc.nat(cutOff.length),
      sizes,
      fc.constantFrom<"close" | Error>("close", new TypeError("error reading a body")),
      async (lines, tail, sizes, end) => {
        const whole = new TextEncoder().encode(lines.join(""));
        const bytes = new Uint8Array([...whole, ...cutOff.slice(0, tail)]);
        const outcomes = [];
        for (const drain of Object.values(WAYS)) {
          const { events, error } = await drain(await watchOf(bodyOf(cut(bytes, sizes), end)));
          const objects = events.map(({ type, object }) => [
            type,
            unpacked(object),
          ]);
          outcomes.push({ objects, error: error === undefined ? "" : String(error) });
        }
        assertEquals(outcomes[1], outcomes[0]);
        assertEquals(outcomes[2], outcomes[0]);
      },
    ),
    300,
  );
});

testAllWays(
  "WatchStream limits line lengths however the bytes are split",
  (drain) =>
    fuzz(20, async (random, inputs) => {
      for (let i = 0; i < inputs; i++) {
        const length = 90 + i % 20;
        const [short, long] = [
          lineOf("ADDED", "a"),
          `${lineOf("ADDED", "b").trimEnd()}`.padEnd(length),
        ];
        const sizes = Array.from({ length: 5 }, () => 1 + Math.floor(random.next() * 40));
        const body = bodyOf(
          cut(new TextEncoder().encode(`${short}${long}\n`), [short.length, ...sizes]),
        );
        const { events, error } = await drain(await watchOf(body, { maxWatchLineBytes: 100 }));
        if (length <= 100) {
          assertEquals([namesOf(events), error], [["ADDED a", "ADDED b"], undefined]);
        } else {assert(
            StatusError.is(error) && error.message.includes("100 bytes"),
            `${length}: ${error}`,
          );}
      }
    }),
);
