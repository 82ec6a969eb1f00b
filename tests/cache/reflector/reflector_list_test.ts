import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  defaultReflectorBackoff,
  SharedInformer,
  SharedInformerFactory,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource } from "../../../src/testing/mod.ts";
import { type KubeList, type Pod, StatusError } from "../../../src/types/mod.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { mostInTenSeconds } from "../../support/request_rate.ts";
import { added, errorEvent, failing, listOf, pod, Stream } from "./_scripted_source.ts";

const expired = () => new StatusError({ code: 410, reason: "Expired", message: "too old" });
const gone = () => new StatusError({ code: 410, reason: "Gone", message: "gone" });
const tooLarge = (form: number) =>
  new StatusError({
    code: 504,
    reason: "Timeout",
    message: form === 2 ? "Too large resource version: 5, current: 1" : "timeout",
    details: {
      causes: form === 0
        ? [{ reason: "ResourceVersionTooLarge" }]
        : form === 1
        ? [{ message: "Too large resource version" }]
        : [],
    },
  });
const forbidden = () =>
  new StatusError({ code: 403, reason: "Forbidden", message: "pods is forbidden" });

Deno.test("Reflector lists at resource version 0, replaces the store, then watches from the version of the list", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => listOf("42", pod("a", "3"), pod("b", "9"))];
  await t.start();
  assertEquals(t.source.log, ["list 0", "watch 42"]);
  assertEquals(t.store.calls, ["replace a,b @42"]);
  assertEquals(t.store.versions, ["42"]);
  assertEquals(t.reflector.lastSyncResourceVersion(), "42");
  assertEquals(t.source.asked[0]?.options.limit, 500);
  assertEquals(t.reflector.snapshot().phase, "watching");
});

Deno.test("Reflector watches with bookmarks and a random timeout of 5 to 10 minutes", async () => {
  for (
    const [random, minWatchTimeoutMs, seconds] of [
      [0, 0, 300],
      [0.5, 0, 450],
      [0.999999, 0, 599],
      [0.5, 60_000, 450],
      [0.5, 400_000, 600],
    ] as const
  ) {
    await using t = new ReflectorHarness({ random: { next: () => random }, minWatchTimeoutMs });
    await t.start();
    assertEquals(t.source.asked[1]?.options, {
      resourceVersion: "10",
      timeoutSeconds: seconds,
      allowWatchBookmarks: true,
    });
  }
});

Deno.test("Reflector lists again after 800 ms, doubled up to 30 s, with jitter", async () => {
  const inTwoMinutes = [0, 800, 2_400, 5_600, 12_000, 24_800, 50_400, 80_400, 110_400, 140_400];
  for (const [random, factor] of [[0, 1], [0.5, 1.5]] as const) {
    await using t = new ReflectorHarness({ random: { next: () => random } });
    t.source.lists = [failing(forbidden())];
    await t.start(115_000);
    const expected = inTwoMinutes.map((ms) => ms * factor).filter((ms) => ms <= 115_000);
    assertEquals(t.source.times.map(Math.round), expected);
    assertEquals(t.errors.length, expected.length);
    assertEquals(t.reflector.snapshot().phase, "backing-off");
  }
});

Deno.test("Reflector restarts its backoff every two minutes", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [failing(forbidden())];
  await t.start(145_000);
  const gaps = t.source.times.slice(1).map((ms, i) => ms - (t.source.times[i] ?? 0));
  assertEquals(gaps, [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000, 800, 1600]);
});

Deno.test("Reflector uses client-go's backoff with other numbers, on its clock and randomness", async () => {
  await using t = new ReflectorHarness({
    backoff: { ...defaultReflectorBackoff, durationMs: 100, capMs: 300, jitter: 0 },
  });
  t.source.lists = [failing(new Error("down"))];
  await t.start(1_500);
  assertEquals(t.source.times.slice(0, 5), [0, 100, 300, 600, 900]);
});

for (
  const numbers of [
    { backoff: { durationMs: -1 } },
    { backoff: { durationMs: NaN } },
    { backoff: { durationMs: 1, resetAfterMs: NaN } },
    { watchIdleLimitMs: -1 },
    { listTimeoutMs: 0 },
    { minWatchTimeoutMs: NaN },
    { watchListPageSize: 1.5 },
  ]
) {
  Deno.test(`Reflectors, informers and factories refuse ${JSON.stringify(numbers)} at once`, () => {
    assertThrows(() => new ReflectorHarness(numbers), RangeError);
    assertThrows(() => new SharedInformer(new FakeControllerSource(), numbers), RangeError);
    const client = { listerWatcher: () => new FakeControllerSource() } as never;
    assertThrows(() => new SharedInformerFactory(client, numbers), RangeError);
  });
}

Deno.test("Reflector uses the backoff of its options", async () => {
  await using t = new ReflectorHarness({ backoff: { step: () => 7_000 } });
  t.source.lists = [failing(forbidden())];
  await t.start(15_000);
  assertEquals(t.source.times, [0, 7_000, 14_000]);
});

Deno.test("Reflector lists at the newest version at once if the server cannot serve the requested one", async () => {
  for (const error of [expired(), gone(), tooLarge(0), tooLarge(1), tooLarge(2)]) {
    await using t = new ReflectorHarness();
    t.source.lists = [
      () => listOf("10"),
      failing(error),
      () => listOf("20"),
      () => listOf("30"),
    ];
    t.source.watches = [failing(forbidden()), failing(forbidden()), () => new Stream()];
    await t.start(10_000);
    assertEquals(t.source.log, [
      "list 0",
      "watch 10",
      "list 10",
      "list ",
      "watch 20",
      "list 20",
      "watch 30",
    ]);
    assertEquals(t.source.times.slice(2, 5), [800, 800, 800]);
    assertEquals(t.errors.length, 2, "a 410 that the second list resolves is not reported");
  }
});

Deno.test("Reflector lists at the newest version first if its start must be consistent", async () => {
  await using t = new ReflectorHarness({ consistentStart: true });
  t.source.lists = [failing(forbidden()), () => listOf("10"), () => listOf("20")];
  t.source.watches = [failing(forbidden()), () => new Stream()];
  await t.start(10_000);
  assertEquals(t.source.log, ["list ", "list ", "watch 10", "list 10", "watch 20"]);
});

Deno.test("Reflector backs off if the list at the newest version is expired too", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [failing(expired())];
  await t.start(10_000);
  assertEquals(t.source.log.slice(0, 4), ["list 0", "list ", "list ", "list "]);
  assertEquals(t.source.times.slice(0, 4), [0, 0, 800, 800]);
  assert(mostInTenSeconds(t.source.times) <= 10);
});

Deno.test("Reflector uses the version of a list even if it is older than the last event", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => listOf("5"), () => listOf("10")];
  t.source.watches = [
    () => new Stream().send(added(pod("a", "11")), errorEvent(410, "Expired")),
    () => new Stream(),
  ];
  await t.start(1_000);
  assertEquals(t.source.log, ["list 0", "watch 5", "list 11", "watch 10"]);
  assertEquals(t.reflector.lastSyncResourceVersion(), "10");
});

Deno.test("Reflector does not page a list at a version, unless the server paged the list at 0 or a page size is set", async () => {
  const pages = () => {
    let page = 0;
    return (): KubeList<Pod> =>
      page++ === 0
        ? { metadata: { resourceVersion: "10", continue: "next" }, items: [pod("a", "1")] }
        : listOf("10", pod("b", "2"));
  };
  for (
    const [watchListPageSize, paginates, limits] of [
      [undefined, false, [500, 0]],
      [undefined, true, [500, 500, 500]],
      [7, false, [7, 7]],
    ] as const
  ) {
    await using t = new ReflectorHarness(
      watchListPageSize === undefined ? {} : { watchListPageSize },
    );
    const answer = paginates ? pages() : () => listOf("10");
    t.source.lists = [answer];
    t.source.watches = [failing(forbidden()), () => new Stream()];
    await t.start(1_000);
    const lists = t.source.asked.filter(({ verb }) => verb === "list");
    assertEquals(lists.map(({ options }) => options.limit), [...limits]);
    if (paginates) {
      assertEquals(t.store.calls[0], "replace a,b @10");
      assertEquals(
        lists[1]?.options.resourceVersion,
        undefined,
        "a later page has only the continue token",
      );
      assertEquals(t.reflector.snapshot().lists, 2, "further pages do not count as lists");
    }
  }
});

Deno.test("Reflector pages a list at the newest version", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [failing(expired()), () => listOf("10")];
  await t.start();
  assertEquals(t.source.asked[1]?.options, { resourceVersion: "", limit: 500 });
});

Deno.test("Reflector does not page later lists because the server paged one at the newest version", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [
    failing(expired()),
    () => ({ metadata: { resourceVersion: "10", continue: "next" }, items: [] }),
    () => listOf("10"),
  ];
  t.source.watches = [failing(forbidden()), () => new Stream()];
  await t.start(1_000);
  assertEquals(t.source.asked.at(-2)?.options, { resourceVersion: "10", limit: 0 });
});

Deno.test("Reflector lets the event loop turn after each page", async () => {
  await using t = new ReflectorHarness();
  let pages = 0;
  t.source.lists = [() => {
    pages++;
    return pages < 4
      ? {
        metadata: { resourceVersion: "10", continue: String(pages) },
        items: [pod(`p${pages}`, "1")],
      }
      : listOf("10");
  }];
  await t.start();
  assertEquals(t.store.calls, ["replace p1,p2,p3 @10"]);
});

Deno.test("Reflector reports an answer that is not a list, and retries", async () => {
  const cases: [string, unknown, RegExp][] = [
    [
      "a Table",
      { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: {}, rows: [] },
      /is a Table/,
    ],
    ["no metadata", { items: [] }, /has no metadata/],
    ["a string", "<html>", /is not an object/],
    ["null", null, /is not an object/],
    ["odd items", { metadata: {}, items: {} }, /items that are not an array/],
  ];
  for (const [what, answer, message] of cases) {
    await using t = new ReflectorHarness();
    t.source.lists = [
      async () => await Promise.resolve(answer as KubeList<Pod> ?? null),
      () => listOf("3"),
    ];
    if (answer === null) t.source.list = () => Promise.resolve(null as unknown as KubeList<Pod>);
    await t.start(700);
    assertEquals(t.errors.length, 1, what);
    assertMatch(String(t.errors[0]), message);
    assertEquals(t.store.calls, []);
  }
});

Deno.test("Reflector accepts null as an empty list, and an empty resource version", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => ({ metadata: {}, items: null } as unknown as KubeList<Pod>)];
  await t.start();
  assertEquals(t.store.calls, ["replace  @"]);
  assertEquals(t.source.log, ["list 0", "watch "]);
});

Deno.test("Reflector skips listed objects without a name, and logs their number", async () => {
  await using t = new ReflectorHarness();
  const nameless = [{}, { metadata: {} }, { metadata: { name: "" } }, null] as unknown as Pod[];
  t.source.lists = [() => listOf("10", pod("a", "1"), ...nameless)];
  await t.start();
  assertEquals(t.store.calls, ["replace a @10"]);
  assertEquals(t.reflector.snapshot().skipped, 4);
  assertStringIncludes(t.logger.lines[0] ?? "", "skipped 4 of 5 listed objects");
});

Deno.test("Reflector reports that the store refused a list, and lists again with backoff", async () => {
  await using t = new ReflectorHarness();
  t.store.refuse = (call) => call.startsWith("replace") && t.source.asked.length < 3;
  await t.start(3_000);
  assertEquals(t.source.log, ["list 0", "list 0", "list 0", "watch 10"]);
  assertEquals(t.source.times, [0, 800, 2_400, 2_400]);
  assertStringIncludes(String(t.errors[0]), "Cannot put the list of pods into the store");
  assertEquals(t.reflector.snapshot().storeErrors, 2);
});

Deno.test("Reflector gives up on a list that is never answered, and retries", async () => {
  await using t = new ReflectorHarness();
  const hanging: AbortSignal[] = [];
  t.source.lists = [(_options, { signal }) => {
    hanging.push(signal as AbortSignal);
    return new Promise(() => {});
  }, () => listOf("10")];
  await t.start(89_999);
  assertEquals(t.source.log, ["list 0"]);
  await t.clock.advance(1_000);
  assertEquals(t.source.log, ["list 0", "list 0", "watch 10"]);
  assertStringIncludes(String(t.errors[0]), "List was not answered within 90000 ms");
  assert(hanging[0]?.aborted);
});

Deno.test("Reflector.snapshot() has counters, the last error and its time", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [failing(forbidden()), () => listOf("10", pod("a", "1"))];
  t.source.watches = [() => new Stream().send(added(pod("b", "11")))];
  await t.start(1_000);
  const { lastErrorTimeMs, lastError, ...rest } = t.reflector.snapshot();
  assertEquals(lastError?.message, "pods is forbidden");
  assertEquals(lastErrorTimeMs, t.clock.wallNow() - 1_000);
  assertEquals(rest, {
    name: "pods",
    phase: "watching",
    lastSyncResourceVersion: "11",
    lists: 2,
    streamingLists: 0,
    watches: 1,
    events: 1,
    listErrors: 1,
    watchErrors: 0,
    shortWatches: 0,
    silentWatches: 0,
    fallbacks: 0,
    skipped: 0,
    storeErrors: 0,
  });
});

Deno.test("Reflector logs what the watchErrorHandler throws, and continues", async () => {
  await using t = new ReflectorHarness({
    watchErrorHandler: () => {
      throw new Error("handler broke");
    },
  });
  t.source.lists = [failing(forbidden()), () => listOf("10")];
  await t.start(1_000);
  assertEquals(t.source.log, ["list 0", "list 0", "watch 10"]);
  assertStringIncludes(t.logger.lines[0] ?? "", "the watchErrorHandler threw: handler broke");
});

Deno.test("Reflector by default logs failures as warnings, but an expired version as information", async () => {
  const logger = new RecordingLogger();
  await using t = new ReflectorHarness({ watchErrorHandler: undefined, logger });
  t.source.lists = [
    failing(forbidden()),
    failing(new TypeError("connection closed before message completed")),
    failing(expired()),
  ];
  await t.start(2_400);
  const lead = "pods: Failed to list pods";
  assertEquals(logger.lines.filter((line) => line.includes("trying again")), [
    `warn ${lead}: pods is forbidden (403 Forbidden); trying again`,
    `warn ${lead}: connection closed before message completed; trying again`,
    `info ${lead}: too old (410 Expired); trying again`,
  ]);
});

Deno.test("Reflector gives listed objects the kind of their list, as watched ones have it", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => ({ kind: "PodList", apiVersion: "v1", ...listOf("10", pod("a", "3")) })];
  await t.start();
  assertEquals(t.store.objects.get("a"), { kind: "Pod", apiVersion: "v1", ...pod("a", "3") });
});

Deno.test("Reflector ends a list whose pages bring nothing new, paces its pages, and says so", async () => {
  await using t = new ReflectorHarness();
  let page = 0;
  t.source.lists = [() => ({
    metadata: { resourceVersion: "5", continue: `token ${page++ % 2}` },
    items: [pod("a", "4")],
  })];
  await t.start(600_000);
  assert(mostInTenSeconds(t.source.asked.map(({ atMs }) => atMs)) <= 10);
  assert(t.errors.length > 2 && t.errors.length < 60, `${t.errors.length} errors`);
  assertStringIncludes(String(t.errors[0]), "without a new object");
});

Deno.test("Reflector slows down a list without end that sends one object a page", async () => {
  await using t = new ReflectorHarness();
  let page = 0;
  t.source.lists = [() => {
    page++;
    return {
      metadata: { resourceVersion: "5", continue: `token ${page}` },
      items: [pod(`p${page}`, "4")],
    };
  }];
  await t.start(600_000);
  assert(page > 150 && page < 800, `${page} pages in ten minutes`);
});

Deno.test("Reflector slows down a list after a hundred pages that are less than half full", async () => {
  for (const [perPage, atOnce] of [[5, 300], [4, 100]] as const) {
    await using t = new ReflectorHarness({ watchListPageSize: 10 });
    let page = 0;
    t.source.lists = [() => ({
      metadata: { resourceVersion: "5", ...(++page < 300 ? { continue: `token ${page}` } : {}) },
      items: Array.from({ length: perPage }, (_, i) => pod(`p${page}-${i}`, "4")),
    })];
    await t.start(900);
    assertEquals(page, atOnce, `pages of ${perPage}`);
  }
});

Deno.test("Reflector starts over with the pages of a list after one has expired", async () => {
  for (const expiresAt of [2, 6, 15]) {
    await using t = new ReflectorHarness();
    let isExpired = false;
    // The server sends one object a page, whatever limit is asked for.
    t.source.lists = [({ continue: token }) => {
      const page = Number(token ?? 0) + 1;
      if (page === expiresAt && !isExpired) {
        isExpired = true;
        throw expired();
      }
      const next = page < 20 ? { continue: String(page) } : {};
      return { metadata: { resourceVersion: "10", ...next }, items: [pod(`p${page}`, "1")] };
    }];
    await t.start(expiresAt < 9 ? 0 : 10_500);
    assertEquals(t.errors, []);
    assertEquals(t.store.objects.size, 20, `page ${expiresAt}`);
    assertEquals(t.source.asked.length, expiresAt + 20 + 1, `page ${expiresAt}`);
  }
});

Deno.test("Reflector lists in pages at the newest version when no watch can start from the last one", async () => {
  const ends = [() => new Stream().send(errorEvent(410, "Expired")), failing(expired())];
  for (const end of ends) {
    for (const watchListPageSize of [0, 2]) {
      await using t = new ReflectorHarness({ watchListPageSize });
      // A list in pages shows exactly the version that is asked for, another one the newest.
      t.source.lists = [
        ({ resourceVersion: asked, limit }) => listOf(limit === 0 || asked === "" ? "20" : "10"),
      ];
      t.source.watches = [end, () => new Stream()];
      await t.start(800);
      const again = watchListPageSize === 0 ? "list 10" : "list ";
      assertEquals(t.source.log, ["list 0", "watch 10", again, "watch 20"]);
    }
  }
});
