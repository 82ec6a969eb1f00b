import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { TerminalError } from "../../../src/base/mod.ts";
import {
  isForbidden,
  type Pod,
  Pods,
  StatusError,
  type WatchEvent,
} from "../../../src/types/mod.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import {
  added,
  bookmark,
  deleted,
  errorEvent,
  failing,
  initialEventsEnd,
  listOf,
  modified,
  pod,
  Stream,
} from "./_scripted_source.ts";

const tooMany = () => new StatusError({ code: 429, reason: "TooManyRequests", message: "busy" });
const refused = () => Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });

Deno.test("Reflector applies events, and watches again at once from the last version when the watch closes", async () => {
  await using t = new ReflectorHarness();
  const stream = new Stream();
  t.source.watches = [() => stream, () => new Stream()];
  await t.start();
  stream.send(
    added(pod("a", "11")),
    modified(pod("a", "12")),
    bookmark("15"),
    deleted(pod("a", "14")),
  );
  await t.clock.advance(1_000);
  assertEquals(t.store.calls, ["replace  @10", "add a", "update a", "bookmark 15", "delete a"]);
  assertEquals(
    t.store.versions,
    ["10", "11", "12", "15", "14"],
    "the store gets each version, and the last one counts",
  );
  stream.end();
  await t.clock.advance(0);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 14"]);
  assertEquals(t.source.times, [0, 0, 1_000]);
  assertEquals(t.errors, []);
});

Deno.test("Reflector reopens a quiet watch that the server closes, without a list", async () => {
  await using t = new ReflectorHarness();
  const stream = new Stream();
  t.source.watches = [() => stream, () => new Stream()];
  await t.start(1_000);
  stream.end();
  await t.clock.advance(0);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 10"]);
  assertEquals(t.source.times, [0, 0, 1_000]);
});

Deno.test("Reflector lists again with backoff after a watch that ends within a second without an event", async () => {
  await using t = new ReflectorHarness();
  const stream = new Stream();
  t.source.watches = [() => stream, () => new Stream()];
  await t.start(999);
  stream.end();
  await t.clock.advance(800);
  assertEquals(t.source.log, ["list 0", "watch 10", "list 10", "watch 10"]);
  assertEquals(t.source.times, [0, 0, 1_799, 1_799]);
  assertEquals(t.errors, [], "as in client-go, a short watch is not reported to the handler");
  assertEquals(t.reflector.snapshot().shortWatches, 1);
  assertStringIncludes(t.reflector.snapshot().lastError?.message ?? "", "within a second");
});

Deno.test("Reflector counts a bookmark as an event of a short watch", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [() => new Stream().send(bookmark("20")).end(), () => new Stream()];
  await t.start();
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 20"]);
});

Deno.test("Reflector pauses after quick watches in a row, and counts anew after a longer one", async () => {
  await using t = new ReflectorHarness();
  const quick = () => new Stream().send(bookmark("20")).end();
  const long = () => {
    const stream = new Stream();
    t.clock.setTimer(() => stream.end(), 5_000);
    return stream;
  };
  t.source.watches = [quick, quick, quick, long, quick, quick, quick, quick, () => new Stream()];
  await t.start(10_000);
  const watches = t.source.times.filter((_, i) => t.source.log[i]?.startsWith("watch"));
  assertEquals(watches, [0, 0, 0, 0, 5_000, 5_000, 5_000, 5_000, 6_000]);
});

Deno.test("Reflector retries only the watch, with backoff, after a refused connection or a 429", async () => {
  for (const error of [refused(), tooMany()]) {
    await using t = new ReflectorHarness();
    t.source.watches = [failing(error), failing(error), () => new Stream()];
    await t.start(3_000);
    assertEquals(t.source.log, ["list 0", "watch 10", "watch 10", "watch 10"]);
    assertEquals(t.source.times, [0, 0, 800, 2_400]);
    assertEquals(t.errors, []);
    assertEquals(t.reflector.snapshot().watchErrors, 2);
  }
});

Deno.test("Reflector reports every other failure to open a watch once, and lists again with backoff", async () => {
  for (
    const error of [
      new StatusError({ code: 410, reason: "Expired", message: "old" }),
      new StatusError({ code: 403, reason: "Forbidden", message: "no" }),
      new StatusError({ code: 503, reason: "ServiceUnavailable", message: "down" }),
      new StatusError({
        code: 503,
        reason: "ServiceUnavailable",
        message: "error trying to reach service: dial tcp 10.0.0.1:443: connection refused",
      }),
      new TypeError("unexpected EOF"),
    ]
  ) {
    await using t = new ReflectorHarness();
    t.source.watches = [failing(error), () => new Stream()];
    await t.start(800);
    assertEquals(t.source.log, ["list 0", "watch 10", "list 10", "watch 10"]);
    assertEquals(t.source.times, [0, 0, 800, 800]);
    assertEquals(t.errors.map(String), [
      `${error.name}: Failed to watch pods: ${error.message}`.replace("TypeError", "Error"),
    ]);
    assertEquals(StatusError.is(t.errors[0]), StatusError.is(error));
    assertStrictEquals((t.errors[0] as Error).cause, error);
  }
});

Deno.test("Reflector honours Retry-After, up to a minute", async () => {
  const busy = (retryAfterSeconds: number) =>
    failing(
      new StatusError({ code: 429, reason: "TooManyRequests", details: { retryAfterSeconds } }),
    );
  await using t = new ReflectorHarness();
  t.source.watches = [busy(7), busy(86_400), () => new Stream()];
  await t.start();
  await t.clock.advance(6_999);
  assertEquals(t.source.log, ["list 0", "watch 10"]);
  await t.clock.advance(1);
  assertEquals(t.source.times, [0, 0, 7_000]);
  await t.clock.advance(60_000);
  assertEquals(t.source.times, [0, 0, 7_000, 67_000]);
});

Deno.test("Reflector backs off and watches again after an ERROR event of 429", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [
    () => new Stream().send(added(pod("a", "11")), errorEvent(429, "TooManyRequests")),
    () => new Stream(),
  ];
  await t.start(800);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 11"]);
  assertEquals(t.source.times, [0, 0, 800]);
});

Deno.test("Reflector stops the stream and lists again from the last version after every other ERROR event", async () => {
  for (
    const [code, reason] of [[410, "Expired"], [410, "Gone"], [500, "InternalError"], [
      504,
      "Timeout",
    ]] as const
  ) {
    await using t = new ReflectorHarness();
    const stream = new Stream().send(added(pod("a", "11")), errorEvent(code, reason));
    t.source.watches = [() => stream, () => new Stream()];
    await t.start(799);
    assertEquals(
      stream.returns,
      1,
      "the server leaves the stream open, and the reflector stops it once",
    );
    await t.clock.advance(1);
    assertEquals(t.source.log, ["list 0", "watch 10", "list 11", "watch 10"]);
    assertEquals(t.source.times.slice(2), [800, 800]);
    assertEquals(t.errors, [], "the handler is not called for ERROR events");
    assertEquals(t.reflector.snapshot().watchErrors, 1);
  }
});

Deno.test("Reflector treats a thrown StatusError like an ERROR event", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [() => new Stream().send(bookmark("12")).fail(tooMany()), () => new Stream()];
  await t.start(800);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 12"]);
});

Deno.test("Reflector treats a broken connection like a closed watch", async () => {
  const reset = Object.assign(new Error("read failed"), { code: "ECONNRESET" });
  for (
    const error of [
      reset,
      new TypeError("error reading a body from connection"),
      new TypeError("terminated", { cause: new Error("other side closed") }),
      new TypeError("network error"),
    ]
  ) {
    await using t = new ReflectorHarness();
    t.source.watches = [() => new Stream().send(bookmark("12")).fail(error), () => new Stream()];
    await t.start();
    assertEquals(t.source.log, ["list 0", "watch 10", "watch 12"]);
  }
});

Deno.test("Reflector logs a bug in the lister-watcher with its stack, and lists again with backoff", async () => {
  for (
    const bug of [
      new TypeError("Cannot read properties of undefined (reading 'timeout')"),
      new TypeError("connection.closed is not a function"),
      new TypeError("?"),
    ]
  ) {
    await using t = new ReflectorHarness();
    t.source.watches = [() => new Stream().send(bookmark("12")).fail(bug), () => new Stream()];
    await t.start(800);
    assertEquals(t.source.log, ["list 0", "watch 10", "list 12", "watch 10"]);
    assertEquals(t.logger.lines, [`warn pods: the watch failed: ${bug.message}`]);
    assertEquals(t.logger.args, [[bug]], "the error is logged with its stack");
    assertStrictEquals(t.reflector.snapshot().lastError, bug);
    assertEquals(t.reflector.snapshot().watchErrors, 1);
  }
});

Deno.test("Reflector replaces a backoff that throws or returns an invalid delay, and continues", async () => {
  for (
    const step of [
      () => {
        throw new Error("broken backoff");
      },
      () => NaN,
      () => -1,
      () => "1" as unknown as number,
    ]
  ) {
    await using t = new ReflectorHarness({ backoff: { step } });
    t.source.lists = [failing(new Error("down")), failing(new Error("down"))];
    await t.start(800 + 1600);
    assertEquals(t.source.times.slice(0, 3), [0, 800, 2400]);
    assertEquals(t.logger.lines.length, 1);
    assertStringIncludes(
      t.logger.lines[0] ?? "",
      "error pods: the backoff failed, using the default",
    );
  }
});

Deno.test("Reflector ends, without another request, if any request fails with a TerminalError", async () => {
  const closed = new TerminalError("Client is closed");
  for (const streaming of [false, true]) {
    for (const where of ["list", "watch", "stream"]) {
      await using t = new ReflectorHarness({ streaming });
      if (where === "list") {
        t.source.lists = [failing(closed)];
        if (streaming) t.source.watches = [failing(closed)];
      } else {
        const begin = () => new Stream().send(initialEventsEnd("10"));
        const failed = where === "watch" ? failing(closed) : () => new Stream().fail(closed);
        t.source.watches = streaming ? [() => begin().fail(closed), failing(closed)] : [failed];
        t.source.lists = [() => listOf("10"), failing(closed)].slice(streaming ? 1 : 0);
      }
      const stop = new AbortController();
      const ended = t.reflector.run({ signal: stop.signal });
      const error = await t.clock.run(ended.catch((error) => error), 60_000);
      assert(TerminalError.is(error), `${streaming} ${where}: ${error}`);
      const verb = where === "list" ? "list" : "watch";
      assertEquals(error.message, `Failed to ${verb} pods: Client is closed`);
      assertEquals(t.reflector.snapshot().phase, "stopped");
      assertEquals(t.clock.pendingTimers, 0);
      assertEquals(t.logger.lines, [], "it says that it tries again, or what its owner logs too");
    }
  }
});

Deno.test("Reflector treats a line that cannot be decoded as an internal error", async () => {
  for (
    const [maxInternalErrorRetryDurationMs, second] of [[0, "list 12"], [
      5_000,
      "watch 12",
    ]] as const
  ) {
    await using t = new ReflectorHarness({ maxInternalErrorRetryDurationMs });
    t.source.watches = [
      () => new Stream().send(bookmark("12")).fail(new SyntaxError("Unexpected token <")),
      () => new Stream(),
    ];
    await t.start(800);
    assertEquals(t.source.log.slice(0, 3), ["list 0", "watch 10", second]);
  }
});

Deno.test("Reflector retries internal errors without a list until the deadline", async () => {
  await using t = new ReflectorHarness({ maxInternalErrorRetryDurationMs: 5_000 });
  const internal = (afterMs: number) => () => {
    const stream = new Stream();
    t.clock.setTimer(() => stream.send(errorEvent(500, "InternalError")), afterMs);
    return stream;
  };
  t.source.watches = [internal(2_000)];
  await t.start(9_000);
  assertEquals(t.source.log.slice(0, 5), [
    "list 0",
    "watch 10",
    "watch 10",
    "watch 10",
    "watch 10",
  ]);
  assertEquals(t.source.times.slice(0, 5), [0, 0, 2_000, 4_000, 6_000]);
  assertEquals(t.source.log[5], "list 10", "the first error was at 2 s, so the deadline is at 7 s");
});

Deno.test("Reflector does not start the deadline for internal errors with other errors", async () => {
  await using t = new ReflectorHarness({ maxInternalErrorRetryDurationMs: 5_000 });
  const failingAfter = (ms: number, event: WatchEvent<Pod>) => () => {
    const stream = new Stream();
    t.clock.setTimer(() => stream.send(event), ms);
    return stream;
  };
  t.source.watches = [
    () => new Stream().send(errorEvent(429, "TooManyRequests")),
    failingAfter(50_000, errorEvent(500, "InternalError")),
    () => new Stream(),
  ];
  await t.start(60_000);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 10", "watch 10"]);
});

Deno.test("Reflector skips invalid events and their resource versions", async () => {
  await using t = new ReflectorHarness({ resource: Pods });
  const bad = [
    {
      type: "ADDED",
      object: { kind: "Node", apiVersion: "v1", metadata: { name: "n", resourceVersion: "50" } },
    },
    {
      type: "ADDED",
      object: { kind: "Pod", apiVersion: "v2", metadata: { name: "n", resourceVersion: "51" } },
    },
    {
      type: "ADDED",
      object: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "52" } },
    },
    { type: "ADDED", object: { kind: "Pod", apiVersion: "v1" } },
    { type: "ADDED", object: "text" },
    { type: "ADDED" },
    null,
  ] as unknown as WatchEvent<Pod>[];
  t.source.watches = [() => new Stream().send(...bad)];
  await t.start(2_000);
  assertEquals(t.store.calls, ["replace  @10"]);
  assertEquals(t.reflector.lastSyncResourceVersion(), "10");
  const { events, skipped } = t.reflector.snapshot();
  assertEquals({ events, skipped }, { events: 0, skipped: bad.length });
});

Deno.test("Reflector accepts objects with their kind, without a kind, and with metadata only", async () => {
  await using t = new ReflectorHarness({ resource: Pods });
  t.source.watches = [() =>
    new Stream().send(
      added(pod("a", "11", { kind: "Pod", apiVersion: "v1" })),
      added(pod("b", "12")),
      added(pod("c", "13", { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" })),
    )];
  await t.start();
  assertEquals(t.store.calls.slice(1), ["add a", "add b", "add c"]);
});

Deno.test("Reflector ignores an event of unknown type, but uses its resource version", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [
    () =>
      new Stream().send({ type: "FROZEN", object: pod("a", "33") } as unknown as WatchEvent<Pod>)
        .end(),
  ];
  await t.start();
  assertEquals(t.store.calls, ["replace  @10"]);
  assertEquals(t.source.log.slice(0, 3), ["list 0", "watch 10", "watch 33"]);
});

Deno.test("Reflector logs an event that the store refuses, and continues from its version", async () => {
  await using t = new ReflectorHarness();
  t.store.refuse = (call) => call === "add bad";
  t.source.watches = [
    () => new Stream().send(added(pod("bad", "11")), added(pod("a", "12"))).end(),
    () => new Stream(),
  ];
  await t.start();
  assertEquals(t.store.calls, ["replace  @10", "add a"]);
  assertEquals(t.source.log[2], "watch 12");
  assertEquals(t.reflector.snapshot().storeErrors, 1);
  assert(
    t.logger.lines.some((line) => line.includes("refused: add bad")),
    t.logger.lines.join("\n"),
  );
});

Deno.test("Reflector ignores the versions of the synthetic ADDED events at the start of a watch from no version or 0", async () => {
  for (const start of ["", "0"]) {
    await using t = new ReflectorHarness();
    const stream = new Stream().send(added(pod("a", "753")), added(pod("b", "749")));
    t.source.lists = [() => listOf(start)];
    t.source.watches = [() => stream, () => new Stream()];
    await t.start();
    assertEquals(t.reflector.lastSyncResourceVersion(), start);
    stream.send(modified(pod("a", "760")), added(pod("c", "755")));
    await t.clock.advance(0);
    assertEquals(t.reflector.lastSyncResourceVersion(), "755");
  }
});

Deno.test("Reflector handles the initial-events-end bookmark in a plain watch like any other", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [() => new Stream().send(initialEventsEnd("12"), added(pod("a", "13")))];
  await t.start();
  assertEquals(t.source.log, ["list 0", "watch 10"]);
  assertEquals(t.store.calls.slice(1), ["bookmark 12", "add a"]);
});

Deno.test("Reflector drops a watch that is open 5 s after its timeout, and watches again without a list", async () => {
  await using t = new ReflectorHarness({ watchIdleLimitMs: Infinity });
  const stream = new Stream();
  t.source.watches = [() => stream, () => new Stream()];
  await t.start(1_000);
  stream.send(added(pod("a", "11")));
  await t.clock.advance(303_999);
  assertEquals(t.source.log, ["list 0", "watch 10"]);
  await t.clock.advance(1);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 11"]);
  assertEquals(stream.returns, 1);
  stream.send(added(pod("late", "99")));
  await t.clock.advance(1_000);
  assertEquals(
    t.store.calls,
    ["replace  @10", "add a"],
    "events of the dropped stream are ignored",
  );
  assertEquals(t.reflector.snapshot().silentWatches, 1);
  const dropped = "pods: dropped the watch, resuming it without a list";
  assertEquals(t.logger.of("info"), [`${dropped}: It was still open after its timeout`]);
});

Deno.test("Reflector drops a watch that is silent for watchIdleLimitMs after its last event", async () => {
  await using t = new ReflectorHarness({ watchIdleLimitMs: 60_000 });
  const stream = new Stream();
  t.source.watches = [() => stream, () => new Stream()];
  await t.start(50_000);
  stream.send(bookmark("11"));
  await t.clock.advance(59_999);
  assertEquals(t.source.log, ["list 0", "watch 10"]);
  await t.clock.advance(1);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 11"]);
  assertEquals(t.source.times[2], 110_000);
  const dropped = "pods: dropped the watch, resuming it without a list";
  const reason = "It received no event or bookmark for 60000 ms";
  assertEquals(t.logger.of("info"), [`${dropped}: ${reason}`]);
});

Deno.test("Reflector detects a half-open connection within 65 s, and resumes without a list", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [() => new Stream(), () => new Stream()];
  await t.start(64_999);
  assertEquals(t.source.log, ["list 0", "watch 10"]);
  await t.clock.advance(1);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 10"]);
  assertEquals(t.errors, []);
});

Deno.test("Reflector abandons a stream that does not react to being stopped", async () => {
  await using t = new ReflectorHarness({ watchIdleLimitMs: 60_000 });
  const deaf = new Stream();
  deaf.isDeaf = true;
  t.source.watches = [() => deaf, () => new Stream()];
  await t.start(61_000);
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 10"]);
  deaf.send(added(pod("late", "99")));
  await t.clock.advance(0);
  assertEquals(t.store.calls, ["replace  @10"]);
});

Deno.test("Reflector gives up on a watch that is not answered, and stops it if the answer comes late", async () => {
  await using t = new ReflectorHarness();
  let answer!: (stream: Stream) => void;
  t.source.watches = [
    () => new Promise<Stream>((resolve) => answer = resolve),
    () => new Stream(),
  ];
  await t.start(30_800);
  assertEquals(t.source.log, ["list 0", "watch 10", "list 10", "watch 10"]);
  assertStringIncludes(String(t.errors[0]), "Watch was not answered within 30000 ms");
  const late = new Stream();
  answer(late);
  await t.clock.advance(0);
  assertEquals(late.returns, 1);
});

Deno.test("Reflector accepts a watch() that returns the events without a promise", async () => {
  await using t = new ReflectorHarness();
  t.source.watch = () => new Stream().send(added(pod("a", "11"))) as never;
  await t.start();
  assertEquals(t.store.calls, ["replace  @10", "add a"]);
});

Deno.test("Reflector lets the event loop turn while many events are ready", async () => {
  await using t = new ReflectorHarness({ watchIdleLimitMs: Infinity });
  const events = Array.from({ length: 1_200 }, (_, i) => added(pod(`p${i}`, String(11 + i))));
  t.source.watches = [() => new Stream().send(...events)];
  await t.start();
  assertEquals(t.store.objects.size, 1_200);
  let turns = 0;
  const setTimer = t.clock.setTimer.bind(t.clock);
  t.clock.setTimer = (callback, delayMs) => {
    if (delayMs === 0) turns++;
    return setTimer(callback, delayMs);
  };
  t.source.watches = [() => new Stream().send(...events)];
  await t.clock.advance(306_000);
  assertEquals(turns, 2);
});

Deno.test("Reflector resyncs the store while it watches, if shouldResync() allows it, without a request", async () => {
  let should = false;
  await using t = new ReflectorHarness({ resyncPeriodMs: 1_000, shouldResync: () => should });
  await t.start(1_500);
  assertEquals(t.store.calls, ["replace  @10"]);
  should = true;
  await t.clock.advance(2_000);
  assertEquals(t.store.calls, ["replace  @10", "resync", "resync"]);
  assertEquals(t.source.asked.length, 2);
});

Deno.test("Reflector does not resync while lists fail", async () => {
  await using t = new ReflectorHarness({ resyncPeriodMs: 1_000 });
  t.source.lists = [failing(new Error("down"))];
  await t.start(10_000);
  assertEquals(t.store.calls, []);
});

Deno.test("Reflector lists again with backoff if a resync fails", async () => {
  for (const streaming of [false, true]) {
    await using t = new ReflectorHarness({ resyncPeriodMs: 1_000, streaming });
    const open = () => new Stream().send(initialEventsEnd("10"));
    t.source.watches = [open];
    t.store.refuse = (call) => call === "resync";
    await t.start(1_000 + 800);
    assertEquals(
      t.source.log,
      streaming ? ["watch ", "watch 10"] : ["list 0", "watch 10", "list 10", "watch 10"],
    );
    assertEquals(t.errors, []);
  }
});

Deno.test("Reflector.listAndWatch() resolves when the objects must be listed again, and rejects when a request fails", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [() => new Stream().send(errorEvent(410, "Expired")), failing(refusedWatch)];
  await t.clock.run(t.reflector.listAndWatch());
  const outcome = await t.clock.run(t.reflector.listAndWatch().catch((error) => error));
  assert(isForbidden(outcome));
  assertEquals(outcome.message, "Failed to watch pods: no");
  assertEquals(t.errors, []);
});

const refusedWatch = new StatusError({ code: 403, reason: "Forbidden", message: "no" });

Deno.test("Reflector makes no request if its signal has aborted before it runs", async () => {
  await using t = new ReflectorHarness();
  await t.reflector.run({ signal: AbortSignal.abort() });
  await t.reflector.listAndWatch({ signal: AbortSignal.abort() });
  assertEquals(t.source.asked, []);
});

Deno.test("Reflector.run() logs a warning and returns at once while it is running, and can run again after a stop", async () => {
  await using t = new ReflectorHarness();
  await t.start();
  await t.reflector.run();
  assertEquals(t.logger.lines, [
    "warn pods: the reflector is already running and cannot be run twice",
  ]);
  await t.stop();
  assertEquals(t.reflector.snapshot().phase, "stopped");
  const stop = new AbortController();
  const running = t.reflector.run({ signal: stop.signal });
  await t.clock.advance(0);
  assertEquals(t.source.log, ["list 0", "watch 10", "list 10", "watch 10"]);
  stop.abort();
  await t.clock.run(running);
});

Deno.test("Reflector does nothing after a stop, in every phase", async () => {
  const places: [string, (t: ReflectorHarness) => void, number][] = [
    ["listing", (t) => t.source.lists = [() => new Promise(() => {})], 100],
    ["backing off", (t) => t.source.lists = [failing(new Error("down"))], 100],
    ["opening a watch", (t) => t.source.watches = [() => new Promise<Stream>(() => {})], 100],
    ["watching", () => {}, 100],
    ["watching with an event to come", (t) => {
      const stream = new Stream().send(added(pod("a", "11")));
      t.source.watches = [() => stream];
      t.clock.setTimer(() => stream.send(added(pod("late", "12"))), 101);
    }, 100],
  ];
  for (const streaming of [false, true]) {
    for (const [where, prepare, ms] of places) {
      const t = new ReflectorHarness({ streaming, resyncPeriodMs: 50 });
      prepare(t);
      await t.start(ms);
      const before = [t.source.asked.length, t.store.calls.length, t.errors.length];
      await t.stop();
      const timersLeft = t.clock.pendingTimers;
      assert(
        timersLeft <= (where.startsWith("watching with") ? 1 : 0),
        `${where}: ${timersLeft} timers`,
      );
      await t.clock.advance(1_000_000);
      assertEquals([t.source.asked.length, t.store.calls.length, t.errors.length], before, where);
    }
  }
});

Deno.test("Reflector continues if its logger throws", async () => {
  const fail = () => {
    throw new Error("No space left on device");
  };
  await using t = new ReflectorHarness({
    logger: { debug: fail, info: fail, warn: fail, error: fail },
    watchErrorHandler: () => fail(),
  });
  const stream = new Stream();
  t.source.lists = [failing(refused()), () => listOf("10"), () => listOf("20")];
  t.source.watches = [failing(refused()), () => stream, () => new Stream()];
  await t.start(60_000);
  stream.send(added(pod("a", "11")), { type: "ADDED", object: null } as never);
  stream.send(errorEvent(410, "Expired"));
  await t.clock.advance(60_000);
  assertEquals(t.store.calls.includes("add a"), true);
  assertEquals(t.source.log.at(-1), "watch 20");
});
