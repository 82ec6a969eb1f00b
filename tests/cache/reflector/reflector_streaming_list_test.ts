import { assertEquals, assertStringIncludes } from "@std/assert";
import { StatusError } from "../../../src/types/mod.ts";
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

const refused = () => Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
const status = (code: number, reason: string) => new StatusError({ code, reason, message: reason });
const complete = (resourceVersion = "20") => () =>
  new Stream().send(added(pod("a", "5")), initialEventsEnd(resourceVersion));

/** Returns the requests as short texts; those for a streaming list begin with `stream`. */
function logOf(t: ReflectorHarness): string[] {
  return t.source.asked.map(({ verb, options }) =>
    `${options.sendInitialEvents ? "stream" : verb} ${options.resourceVersion}`
  );
}

Deno.test("Reflector requests a streaming list and continues to watch on the same stream", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const stream = new Stream().send(
    added(pod("b", "9")),
    added(pod("a", "5")),
    initialEventsEnd("20"),
  );
  t.source.watches = [() => stream, () => new Stream()];
  await t.start(2_000);
  assertEquals(t.source.asked[0]?.options, {
    resourceVersion: "",
    resourceVersionMatch: "NotOlderThan",
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    timeoutSeconds: 300,
  });
  assertEquals(t.store.calls, ["replace b,a @20"]);
  assertEquals(t.reflector.snapshot().phase, "watching");
  stream.send(modified(pod("a", "21"))).end();
  await t.clock.advance(0);
  assertEquals(t.store.calls.slice(1), ["update a"]);
  assertEquals(logOf(t), ["stream ", "watch 21"]);
});

Deno.test("Reflector fills the store only at the end of the initial events, with the changes until then", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const stream = new Stream();
  t.source.watches = [() => stream];
  await t.start();
  stream.send(
    added(pod("a", "5")),
    added(pod("b", "6")),
    added(pod("c", "7")),
    modified(pod("b", "8")),
    deleted(pod("c", "9")),
    bookmark("10"),
    initialEventsEnd("11", "false"),
  );
  await t.clock.advance(1_000);
  assertEquals(t.store.calls, []);
  assertEquals(t.reflector.lastSyncResourceVersion(), "");
  stream.send(initialEventsEnd("12"));
  await t.clock.advance(0);
  assertEquals(t.store.calls, ["replace a,b @12"]);
  assertEquals(t.store.objects.get("b")?.metadata.resourceVersion, "8");
  assertEquals(t.reflector.lastSyncResourceVersion(), "12");
});

Deno.test("Reflector transforms the objects of a streaming list, and the store transforms them again", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  let calls = 0;
  t.store.transformer = (obj) => {
    calls++;
    return obj;
  };
  t.source.watches = [
    () => new Stream().send(added(pod("a", "5")), added(pod("b", "6")), initialEventsEnd("10")),
  ];
  await t.start();
  assertEquals(calls, 4);
});

Deno.test("Reflector skips objects of a streaming list that have no name", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  t.source.watches = [
    () => new Stream().send(added(pod("", "5")), added(pod("a", "6")), initialEventsEnd("10")),
  ];
  await t.start();
  assertEquals(t.store.calls, ["replace a @10"]);
  assertEquals(t.reflector.snapshot().storeErrors, 1);
});

Deno.test("Reflector falls back to a plain list, and requests a streaming list again the next time", async () => {
  const failures: [string, (t: ReflectorHarness) => void][] = [
    ["an old server", (t) => t.source.watches = [failing(status(422, "Invalid"))]],
    ["a forbidden watch", (t) => t.source.watches = [failing(status(403, "Forbidden"))]],
    [
      "an ERROR event",
      (t) =>
        t.source.watches = [() => new Stream().send(added(pod("a", "1")), errorEvent(500, ""))],
    ],
    ["garbage", (t) => t.source.watches = [() => new Stream().fail(new SyntaxError("<"))]],
    ["a stream that ends at once", (t) => t.source.watches = [() => new Stream().end()]],
  ];
  for (const [what, prepare] of failures) {
    await using t = new ReflectorHarness({ streaming: true });
    prepare(t);
    t.source.watches.push(
      () => new Stream().send(bookmark("11"), errorEvent(410, "Expired")),
      () => new Stream(),
    );
    await t.start(800);
    assertEquals(logOf(t), ["stream ", "list 0", "watch 10", "stream 11"], what);
    assertEquals(t.source.times.slice(0, 3), [0, 0, 0]);
    assertEquals(t.errors, [], what);
    assertEquals(t.reflector.snapshot().fallbacks, 1);
  }
});

Deno.test("Reflector retries a streaming list with backoff after a refused connection or a 429", async () => {
  for (const error of [refused(), status(429, "TooManyRequests")]) {
    await using t = new ReflectorHarness({ streaming: true });
    t.source.watches = [
      failing(error),
      () => new Stream().send(added(pod("stale", "1")), errorEvent(429, "TooManyRequests")),
      complete(),
    ];
    await t.start(3_000);
    assertEquals(logOf(t), ["stream ", "stream ", "stream "]);
    assertEquals(t.source.times, [0, 800, 2_400]);
    assertEquals(t.store.calls, ["replace a @20"], "the objects of a failed stream are discarded");
    assertEquals(t.errors.length, 2);
  }
});

Deno.test("Reflector requests a streaming list at the newest version at once if its own version is expired", async () => {
  for (
    const failure of [
      failing(status(410, "Expired")),
      () => new Stream().send(errorEvent(410, "Gone")),
    ]
  ) {
    await using t = new ReflectorHarness({ streaming: true });
    t.source.watches = [
      () => complete()().send(errorEvent(410, "Expired")),
      failure,
      complete("30"),
    ];
    await t.start(800);
    assertEquals(logOf(t), ["stream ", "stream 20", "stream "]);
    assertEquals(t.source.times, [0, 800, 800]);
    assertEquals(t.reflector.lastSyncResourceVersion(), "30");
  }
});

Deno.test("Reflector falls back to a plain list if the newest version is expired too", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  t.source.watches = [
    failing(status(410, "Expired")),
    failing(status(410, "Expired")),
    () => new Stream(),
  ];
  await t.start();
  assertEquals(logOf(t), ["stream ", "stream ", "list ", "watch 10"]);
});

Deno.test("Reflector retries with backoff when a stream ends before its bookmark, and falls back the fourth time", async () => {
  for (const bring of [[added(pod("a", "5"))], []]) {
    await using t = new ReflectorHarness({ streaming: true });
    t.source.watches = [() => {
      const stream = new Stream().send(...bring);
      t.clock.setTimer(() => stream.end(), 1_000);
      return stream;
    }];
    await t.start(9_600);
    assertEquals(logOf(t).slice(0, 5), ["stream ", "stream ", "stream ", "stream ", "list 0"]);
    assertEquals(t.source.times.slice(0, 5), [0, 1_800, 4_400, 8_600, 9_600]);
  }
});

Deno.test("Reflector uses plain lists for ten minutes if a streaming list sends nothing for 10 s", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const silent = new Stream();
  t.source.watches = [
    () => silent,
    () => new Stream().send(bookmark("11"), errorEvent(410, "Expired")),
    () => new Stream(),
  ];
  await t.start(4_999);
  assertEquals(t.logger.lines, []);
  await t.clock.advance(1);
  assertStringIncludes(t.logger.lines[0] ?? "", "has not ended after 5000 ms");
  silent.send(added(pod("a", "1")));
  await t.clock.advance(9_999);
  assertEquals(logOf(t), ["stream "]);
  await t.clock.advance(1);
  assertEquals(logOf(t), ["stream ", "list 0", "watch 10"]);
  assertEquals(silent.returns, 1);
  await t.clock.advance(800);
  assertEquals(
    logOf(t).slice(3),
    ["list 11", "watch 10"],
    "no further streaming list is requested",
  );
});

Deno.test("Reflector requests streaming lists again after ten minutes, and after twenty if it is silent again", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  let streams = 0;
  t.source.watches = [({ sendInitialEvents }) => {
    if (sendInitialEvents !== true) return new Stream().send(errorEvent(410, "Expired"));
    return ++streams < 3 ? new Stream() : complete(`${100 + streams}`)();
  }];
  await t.start(3_600_000);
  const asked = t.source.asked.filter(({ options }) => options.sendInitialEvents === true)
    .map(({ atMs }) => atMs);
  const [first = 0, second = 0, third = 0] = asked;
  assertEquals(first, 0);
  // Each attempt takes 10 s, and up to a minute of backoff comes before the next list.
  assertEquals(second >= 610_000 && second < 672_000, true, `${second}`);
  assertEquals(
    third - second >= 1_210_000 && third - second < 1_272_000,
    true,
    `${third - second}`,
  );
});

Deno.test("Reflector falls back if a stream sends live events but never ends its initial events", async () => {
  await using t = new ReflectorHarness({ streaming: true, watchListTimeoutMs: 5_000 });
  const busy = new Stream();
  for (let second = 1; second < 80; second++) {
    t.clock.setTimer(() => busy.send(modified(pod("a", String(second)))), second * 1_000);
  }
  t.source.watches = [() => busy, () => new Stream()];
  await t.start(60_000);
  assertEquals(logOf(t), ["stream ", "list 0", "watch 10"]);
  await t.clock.advance(20_000);
  assertEquals(t.store.calls, ["replace  @10"]);
});

Deno.test("Reflector requests no streaming list if the source or the options forbid it", async () => {
  await using unsupported = new ReflectorHarness();
  await unsupported.start();
  assertEquals(logOf(unsupported), ["list 0", "watch 10"]);
  await using unwanted = new ReflectorHarness({ streaming: true, useWatchList: false });
  await unwanted.start();
  assertEquals(logOf(unwanted), ["list 0", "watch 10"]);
});

Deno.test("Reflector requests a further streaming list not older than the last event", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  t.source.watches = [
    () => complete()().send(modified(pod("a", "25")), errorEvent(500, "Odd")),
    complete("30"),
  ];
  await t.start(800);
  assertEquals(logOf(t), ["stream ", "stream 25"]);
  assertEquals(t.store.calls, ["replace a @20", "update a", "replace a @30"]);
});

Deno.test("Reflector backs off if the server ends the stream right after the initial events", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  t.source.watches = [() => complete()().end(), complete("30")];
  await t.start(800);
  assertEquals(logOf(t), ["stream ", "stream 20"]);
  assertEquals(t.source.times, [0, 800]);
});

Deno.test("Reflector stops the stream and lists again if the store refuses the list", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const stream = complete()();
  t.source.watches = [() => stream, complete("30")];
  t.store.refuse = (call) => call.endsWith("@20");
  t.source.lists = [() => listOf("1")];
  await t.start(800);
  assertEquals(stream.returns, 1);
  assertEquals(logOf(t), ["stream ", "stream "]);
  assertEquals(t.errors.length, 1);
});
