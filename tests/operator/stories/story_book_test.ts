import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type Cause,
  causeText,
  debugReconciles,
  PendingCauses,
  storiesText,
  type Story,
  StoryBook,
  type StoryEnd,
  type StoryRecorder,
} from "../../../src/operator/mod.ts";
import { safeLogger, silentLogger } from "../../../src/base/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

function setup(options: { maxBytes?: number; recordObjects?: boolean } = {}) {
  const clock = new VirtualClock();
  const logger = safeLogger(silentLogger, (text) => text.replaceAll("hunter2", "[redacted]"));
  const book = new StoryBook({ clock, logger, ...options });
  const pending = new PendingCauses(clock);
  const begin = (key: string, controller = "widgets"): StoryRecorder =>
    book.begin({ controller, key, taken: pending.take(key) });
  const tell = (key: string, end: StoryEnd = { result: "success" }) => begin(key).end(end);
  return { begin, book, clock, pending, tell };
}

Deno.test("StoryBook keeps a reconcile as data and as text", async () => {
  const { book, clock, pending } = setup();
  const web = { resource: "deployments.apps", object: "default/web" };
  const at = (resourceVersion: string, ready: number) => ({
    metadata: {
      resourceVersion,
      managedFields: [{ manager: "kubelet", subresource: "status", time: resourceVersion }],
    },
    status: { ready },
  });
  pending.add("default/web", { why: "updated", ...web, before: at("1", 0), after: at("2", 1) });
  pending.add("default/web", { why: "retry" });
  await clock.advance(30);
  const taken = pending.take("default/web");
  const recorder = book.begin({
    controller: "widgets",
    key: "default/web",
    uid: "u1",
    attempt: 2,
    taken,
  });
  await clock.advance(12);
  recorder.requested({
    method: "PATCH",
    url: "https://k:6443/apis/apps/v1/x?token=hunter2",
    code: 200,
    durationMs: 4,
    changed: true,
  });
  recorder.requested({
    method: "POST",
    url: "/api/v1/events?a=b",
    error: new Error("refused"),
    durationMs: 1,
  });
  recorder.writeSkipped();
  assertEquals(book.list().map(({ result }) => result), ["running"]);
  recorder.end({ result: "error", error: new Error("no\nhunter2 here"), requeueAfterMs: 60_000 });
  recorder.end({ result: "success" });
  recorder.writeSkipped();
  const story: Story = {
    controller: "widgets",
    key: "default/web",
    uid: "u1",
    attempt: 2,
    causes: [
      {
        why: "updated",
        ...web,
        resourceVersion: "2",
        changed: ["status.ready"],
        by: "kubelet (status)",
        count: 1,
        waitedMs: 30,
      },
      { why: "retry", count: 1, waitedMs: 30 },
    ],
    startedAt: new Date(clock.wallNow() - 12).toISOString(),
    queuedMs: 30,
    durationMs: 12,
    requests: [
      { method: "PATCH", path: "/apis/apps/v1/x", code: 200, durationMs: 4, changed: true },
      { method: "POST", path: "/api/v1/events", error: "refused", durationMs: 1 },
    ],
    skippedWrites: 1,
    result: "error",
    requeueAfterMs: 60_000,
    error: "no [redacted] here",
  };
  assertEquals(book.list(), [story]);
  assertEquals(JSON.parse(JSON.stringify(book.list())), [story], "JSON keeps all of it");
  assertEquals(
    book.text(),
    `${story.startedAt} widgets default/web: error in 12 ms, after 30 ms in the queue, attempt 2
  because deployments.apps default/web was updated: status.ready, by kubelet (status)
  because the reconcile before failed
  PATCH /apis/apps/v1/x: 200 in 4 ms
  POST /api/v1/events: refused in 1 ms
  1 write skipped: nothing to change
  again in 60 s
  error: no [redacted] here
`,
  );
});

Deno.test("StoryBook.list() selects by controller and key, and returns the newest stories within the limit", () => {
  const { begin, book, tell } = setup();
  for (const key of ["a", "b", "a", "c"]) tell(key);
  begin("a", "gadgets").end({ result: "success" });
  const running = begin("a");
  const keys = (query: Parameters<StoryBook["list"]>[0]) =>
    book.list(query).map(({ controller, key }) => `${controller} ${key}`);
  assertEquals(keys({ key: "a" }), ["widgets a", "widgets a", "gadgets a", "widgets a"]);
  assertEquals(keys({ key: "a", controller: "gadgets" }), ["gadgets a"]);
  assertEquals(keys({ limit: 2 }), ["gadgets a", "widgets a"]);
  assertEquals(keys({ limit: 0 }), []);
  assertThrows(() => book.list({ limit: -1 }), RangeError, "limit");
  running.end({ result: "success" });
});

Deno.test("StoryBook drops the oldest stories so that its bytes stay below the limit", () => {
  const { book, tell } = setup({ maxBytes: 20_000 });
  for (let i = 0; i < 1_000; i++) {
    tell(`default/w${i}`, { result: "error", error: "x".repeat(5_000) });
  }
  const { bytes, dropped, running, stories } = book.snapshot();
  assert(bytes <= 20_000 && bytes > 15_000);
  assertEquals([stories + dropped, running], [1_000, 0]);
  assert(stories > 5 && JSON.stringify(book.list()).length < 20_000);
  assertEquals(book.list().at(-1)?.key, "default/w999");
  const none = setup({ maxBytes: 0 });
  none.tell("a");
  assertEquals(none.book.list(), []);
  assertThrows(() => new StoryBook({ maxBytes: -1 }), RangeError, "maxBytes");
});

Deno.test("StoryBook keeps the last failure of a key in a flood of other stories, until the key succeeds", () => {
  const { book, tell } = setup({ maxBytes: 20_000 });
  const storiesOf = (key: string) => book.list({ key }).map(({ error }) => error);
  tell("a", { result: "error", error: "first" });
  tell("a", { result: "error", error: "second" });
  tell("b", { result: "terminal", error: "given up" });
  const flood = () => {
    for (let i = 0; i < 1_000; i++) tell("hot");
  };
  flood();
  assertEquals([storiesOf("a"), storiesOf("b")], [["second"], ["given up"]]);
  assertEquals(book.list().slice(0, 3).map(({ key }) => key), ["a", "b", "hot"]);
  assertEquals(book.keys(() => true).map(({ key }) => key), ["hot", "b", "a"]);
  const { bytes, dropped, stories } = book.snapshot();
  assert(bytes <= 20_000);
  assertEquals(stories + dropped, 1_003);

  tell("a", { result: "error", error: "third" });
  assertEquals(storiesOf("a"), ["third"]);
  flood();
  assertEquals(storiesOf("a"), ["third"]);
  tell("a");
  flood();
  assertEquals([storiesOf("a"), storiesOf("b")], [[], ["given up"]]);
  const after = book.snapshot();
  assertEquals(after.stories + after.dropped, 3_005);
});

Deno.test("StoryBook keeps failures of many keys within a quarter of its memory, the newest of them", () => {
  const { book, tell } = setup({ maxBytes: 20_000 });
  for (let i = 0; i < 1_000; i++) tell(`failing-${i}`, { result: "error", error: "no disk" });
  for (let i = 0; i < 1_000; i++) tell("hot");
  const keys = book.list().map(({ key }) => key);
  const failing = keys.filter((key) => key.startsWith("failing"));
  assert(failing.length > 5 && failing.length < keys.length / 2, `${failing.length}`);
  assertEquals(failing.at(-1), "failing-999");
  assert(book.snapshot().bytes <= 20_000);
});

Deno.test("StoryBook keeps a hundred requests of a story, and counts the others", () => {
  const { begin, book } = setup();
  const recorder = begin("a");
  for (let i = 0; i < 150; i++) {
    recorder.requested({ method: "GET", url: "/", code: 200, durationMs: 1 });
  }
  recorder.end({ result: "success" });
  assertEquals([book.list()[0]?.requests.length, book.list()[0]?.moreRequests], [100, 50]);
});

Deno.test("StoryBook shows text from outside on one visible line", () => {
  const { book, pending, tell } = setup();
  pending.add("a", { why: "updated", resource: "x", object: "a\nforged b: success" });
  tell("a", { result: "error", error: "\u001b[2Jgone" });
  assertEquals(book.text().split("\n").length, 4);
  assert(!book.text().includes("\u001b"));
});

Deno.test("StoryBook.stories() gives each reader what ends, and tells a slow one what it missed", async () => {
  const { book, tell } = setup();
  const fast = book.stories();
  const slow = book.stories();
  tell("first");
  assertEquals((await fast.next()).value?.key, "first");
  const pending = fast.next();
  tell("second");
  assertEquals((await pending).value?.key, "second");
  for (let i = 0; i < 1_500; i++) tell(`k${i}`);
  const { key, missed } = (await slow.next()).value!;
  assertEquals([key, missed], ["k500", 502]);
  assertEquals((await slow.next()).value?.missed, undefined, "said once");
  book.close();
  let rest = 0;
  for await (const _ of slow) rest++;
  assertEquals(rest, 998, "what waits is still delivered");
  assertEquals((await book.stories().next()).done, true);
});

Deno.test("StoryBook.stories() ends with its signal, with return() and with break", async () => {
  const { book, tell } = setup();
  const stop = new AbortController();
  const stream = book.stories({ signal: stop.signal });
  const next = stream.next();
  stop.abort(new Error("enough"));
  await assertRejects(() => next, Error, "enough");
  await assertRejects(() => stream.next(), Error, "enough");
  await assertRejects(() => book.stories({ signal: stop.signal }).next(), Error, "enough");
  const other = book.stories();
  const waiting = [other.next(), other.next()];
  await other.return?.();
  assertEquals((await Promise.all(waiting)).map(({ done }) => done), [true, true]);
  const last = book.stories();
  tell("a");
  for await (const { key } of last) {
    assertEquals(key, "a");
    break;
  }
  tell("b");
  assertEquals((await last.next()).done, true);
});

Deno.test("StoryBook keeps changes of objects only with recordObjects, and never for Secrets", () => {
  const versions = [
    {
      metadata: { name: "a", uid: "u", resourceVersion: "1" },
      data: { mode: "x", old: "1", same: "1" },
    },
    { metadata: { name: "a", uid: "u", resourceVersion: "2" }, data: { mode: "y", same: "1" } },
  ] as const;
  const patches = (recordObjects: boolean, resource: string) => {
    const { book, pending, tell } = setup({ recordObjects });
    const [before, after] = versions;
    pending.add("a", { why: "added", resource, object: "a", after: before });
    pending.add("a", { why: "updated", resource, object: "a", before, after });
    tell("a");
    return book.list()[0]?.causes.map(({ patch }) => patch);
  };
  assertEquals(patches(false, "configmaps"), [undefined, undefined]);
  assertEquals(patches(true, "secrets"), [undefined, undefined]);
  assertEquals(patches(true, "configmaps"), [
    { data: { mode: "x", old: "1", same: "1" } },
    { data: { mode: "y", old: null } },
  ]);
});

Deno.test("StoryBook names unknown and invalid options", () => {
  const { book } = setup();
  for (
    const [fn, message] of [
      [
        () => new StoryBook({ maxByte: 1 } as never),
        'no option "maxByte": did you mean "maxBytes"?',
      ],
      [
        () => new StoryBook({ recordObjects: "yes" } as never),
        "recordObjects must be true or false",
      ],
      [() => new StoryBook(null as never), "StoryBook takes an object with options"],
      [() => book.list({ controler: "x" } as never), 'did you mean "controller"?'],
      [() => book.list({ key: 1 } as never), "key must be a text: received 1"],
      [() => book.stories({ signal: {} } as never), "signal"],
    ] as const
  ) assertThrows(fn, TypeError, message);
});

Deno.test("debugReconciles() escapes control characters in both formats", async () => {
  const { book, pending, tell } = setup();
  const evil = "\u001b]52;c;bHM=\u0007\u009b2J\u202e\u2028\nforged";
  pending.add(evil, { why: "updated", resource: evil, object: evil });
  tell(evil, { result: "error", error: new Error(evil) });
  for (const format of ["json", "text"]) {
    const url = `http://localhost/debug/reconciles?format=${format}`;
    const text = await debugReconciles(book)(new Request(url)).text();
    assertEquals(/[^\n\x20-\x7e]/.test(text), false, text);
    if (format === "json") assertEquals(JSON.parse(text).stories[0].key, evil);
    else assertEquals(text.split("\n").length, 4);
  }
});

Deno.test("debugReconciles() responds with JSON or text, and rejects invalid requests", async () => {
  const { book, tell } = setup();
  for (const key of ["a", "b"]) tell(key);
  const ask = (query: string, init: RequestInit = {}) =>
    debugReconciles(book)(new Request(`http://localhost/debug/reconciles${query}`, init));
  const json = await ask("?key=b&format=json").json();
  assertEquals(json.stories.map(({ key }: Story) => key), ["b"]);
  const accepting = ask("", { headers: { accept: "application/json" } });
  assertEquals(accepting.headers.get("content-type"), "application/json");
  assertEquals((await accepting.json()).stories.length, 2);
  assertEquals((await ask("?limit=1").text()).split(" ")[2], "b:");
  assertEquals(await ask("?controller=nobody").text(), "No reconciles\n");
  assertEquals(await ask("", { method: "HEAD" }).text(), "");
  for (const query of ["?limit=-1", "?limit=x", "?limit=", "?format=xml"]) {
    assertEquals(ask(query).status, 400, query);
  }
  assertEquals(ask("", { method: "DELETE" }).status, 405);
});

Deno.test("storiesText() writes a story in lines, with short durations", () => {
  const story: Story = {
    controller: "widgets",
    key: "default/web",
    attempt: 1,
    causes: [],
    startedAt: "2026-01-01T00:00:00.000Z",
    queuedMs: 9.96,
    durationMs: 0.44,
    requests: [],
    skippedWrites: 0,
    result: "success",
  };
  const head = "2026-01-01T00:00:00.000Z widgets default/web:";
  const queued = "after 10 ms in the queue";
  assertEquals(storiesText([story]), `${head} success in 0.4 ms, ${queued}\n`);
  assertEquals(
    storiesText([story, { ...story, result: "running", attempt: 2, durationMs: 999 }]),
    `${head} success in 0.4 ms, ${queued}\n\n` +
      `${head} running for 999 ms, ${queued}, attempt 2\n`,
  );
  const request = { method: "GET", path: "/a", durationMs: 10.4 };
  assertEquals(
    storiesText([{
      ...story,
      durationMs: 1_000,
      causes: [
        { why: "triggered", count: 1, waitedMs: 0 },
        { why: "retry", resource: "widgets.acme.io", object: "default/web", count: 2, waitedMs: 0 },
        {
          why: "updated",
          object: "default/web",
          changed: [],
          count: 1,
          waitedMs: 0,
          by: "kubectl",
        },
        { why: "updated", object: "default/web", changed: ["a", "b"], count: 1, waitedMs: 0 },
      ],
      moreCauses: 1,
      requests: [
        { ...request, code: 200 },
        { ...request, code: 200, changed: false },
        { ...request, error: "reset", changed: true },
        request,
      ],
      moreRequests: 1,
      skippedWrites: 1,
      requeueAfterMs: 61_449,
      error: "x".repeat(2_000),
    }]),
    [
      `${head} success in 1 s, ${queued}`,
      "  because it was triggered",
      "  because widgets.acme.io default/web failed before, 2 times",
      "  because default/web was updated, by kubectl",
      "  because default/web was updated: a, b",
      "  and 1 more causes",
      "  GET /a: 200 in 10 ms",
      "  GET /a: 200 in 10 ms, nothing changed",
      "  GET /a: reset in 10 ms",
      "  GET /a: no answer in 10 ms",
      "  and 1 more requests",
      "  1 write skipped: nothing to change",
      "  again in 61.4 s",
      `  error: ${"x".repeat(1_000 - "  error: ".length)}… (1009 more characters)`,
      "",
    ].join("\n"),
  );
  assertStringIncludes(storiesText([{ ...story, skippedWrites: 2 }]), "  2 writes skipped");
});

Deno.test("causeText() describes each reason, with an object and without", () => {
  const words: Readonly<Record<Cause["why"], readonly [string, string]>> = {
    listed: ["was in the first list", "was in the first list"],
    added: ["was added", "was added"],
    updated: ["was updated", "was updated"],
    deleted: ["was deleted", "was deleted"],
    resync: ["is due again", "is due again"],
    retry: ["the reconcile before failed", "failed before"],
    requeue: ["the reconcile before asked for it", "asked to be reconciled again"],
    resumed: ["it was paused until now", "was paused until now"],
    triggered: ["it was triggered", "was triggered"],
    stale: [
      "the caches now hold what the reconcile before has written",
      "has waited until the caches held what was written",
    ],
    left: [
      "is in a namespace that is no longer selected",
      "is in a namespace that is no longer selected",
    ],
    served: [
      "is a kind that the server serves now",
      "is a kind that the server serves now",
    ],
    absent: [
      "is a kind that the server no longer serves",
      "is a kind that the server no longer serves",
    ],
    refused: [
      "was not written: the server has refused it",
      "was not written: the server has refused it",
    ],
  };
  for (const [why, [alone, ofObject]] of Object.entries(words)) {
    const cause = { why: why as Cause["why"], count: 1, waitedMs: 0 };
    assertEquals(causeText(cause), alone);
    assertEquals(causeText({ ...cause, resource: "pods", object: "a/b" }), `pods a/b ${ofObject}`);
  }
});
