/** A reflector makes at most ten requests within ten seconds, whatever the server does. */

import { assert, assertEquals } from "@std/assert";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { StatusError } from "../../../src/types/mod.ts";
import { mostInTenSeconds } from "../../support/request_rate.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import {
  added,
  bookmark,
  errorEvent,
  failing,
  initialEventsEnd,
  listOf,
  pod,
  Stream,
} from "./_scripted_source.ts";

const refused = () => Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
const status = (code: number, reason: string) => new StatusError({ code, reason, message: reason });

type Prepare = (t: ReflectorHarness) => void;

/** Returns a watch that ends after `ms` milliseconds. */
function lasting(t: ReflectorHarness, ms: number): () => Stream {
  return () => {
    const stream = new Stream();
    t.clock.setTimer(() => stream.end(), ms);
    return stream;
  };
}

const servers: Record<string, Prepare> = {
  "lists that fail": (t) => t.source.lists = [failing(status(500, "InternalError"))],
  "lists that are refused": (t) => {
    t.source.lists = [failing(refused())];
    t.source.watches = [failing(refused())];
  },
  "lists that are expired": (t) => t.source.lists = [failing(status(410, "Expired"))],
  "later pages that are expired": (t) =>
    t.source.lists = [(options) => {
      if (options.limit === 0 || options.continue) throw status(410, "Expired");
      return { metadata: { resourceVersion: "10", continue: "next" }, items: [] };
    }],
  "pages without items": (t) => {
    let token = 0;
    t.source.lists = [
      () => ({ metadata: { resourceVersion: "10", continue: String(++token) }, items: [] }),
    ];
  },
  "pages without an end": (t) =>
    t.source.lists = [() => ({
      metadata: { resourceVersion: "10", continue: "again" },
      items: [pod("a", "1")],
    })],
  "watches that are forbidden": (t) => t.source.watches = [failing(status(403, "Forbidden"))],
  "watches that are refused": (t) => t.source.watches = [failing(refused())],
  "too many requests": (t) => t.source.watches = [failing(status(429, "TooManyRequests"))],
  "watches that end at once": (t) => t.source.watches = [() => new Stream().end()],
  "watches that end after an event": (t) =>
    t.source.watches = [() => new Stream().send(added(pod("a", "11"))).end()],
  "watches that end after a bookmark": (t) =>
    t.source.watches = [() => new Stream().send(bookmark("11")).end()],
  "watches that break after an event": (t) =>
    t.source.watches = [
      () => new Stream().send(added(pod("a", "11"))).fail(new TypeError("reset")),
    ],
  "watches that end after a second": (t) => t.source.watches = [lasting(t, 1_000)],
  "watches that end just before a second": (t) => t.source.watches = [lasting(t, 999)],
  "ERROR events of 410": (t) =>
    t.source.watches = [() => new Stream().send(errorEvent(410, "Expired"))],
  "ERROR events of 429": (t) =>
    t.source.watches = [() => new Stream().send(errorEvent(429, "TooManyRequests"))],
  "ERROR events of 500": (t) =>
    t.source.watches = [
      () => new Stream().send(added(pod("a", "11")), errorEvent(500, "InternalError")),
    ],
  "garbage": (t) => t.source.watches = [() => new Stream().fail(new SyntaxError("<"))],
  "streams that end right after the initial events": (t) =>
    t.source.watches = [() => new Stream().send(initialEventsEnd("11")).end()],
};

for (const streaming of [false, true]) {
  for (const [what, prepare] of Object.entries(servers)) {
    Deno.test(`Reflector ${streaming ? "with streaming lists " : ""}makes at most ten requests in ten seconds given ${what}`, async () => {
      for (const random of [{ next: () => 0 }, new SeededRandom(3)]) {
        await using t = new ReflectorHarness({
          streaming,
          random,
          maxInternalErrorRetryDurationMs: 60_000,
        });
        prepare(t);
        await t.start(300_000);
        const most = mostInTenSeconds(t.source.times);
        assert(most <= 10, `${most} requests within ten seconds`);
        assert(
          t.source.times.length >= 10,
          `only ${t.source.times.length} requests in five minutes`,
        );
      }
    });
  }
}

Deno.test("Reflector reopens a watch that ends after an event three times at once, then after one to two seconds", async () => {
  await using t = new ReflectorHarness();
  let version = 10;
  t.source.watches = [() => new Stream().send(added(pod("a", String(++version)))).end()];
  await t.start(4_000);
  assertEquals(t.source.times, [0, 0, 0, 0, 0, 1_000, 2_000, 3_000, 4_000]);
  assertEquals(t.source.log.slice(0, 4), ["list 0", "watch 10", "watch 11", "watch 12"]);
  await t.clock.advance(600_000);
  const late = t.source.times.filter((ms) => ms > 60_000);
  const gaps = late.slice(1).map((ms, i) => ms - (late[i] ?? 0));
  assert(Math.max(...gaps) < 3_000, "the pause does not grow: these watches make progress");
});

Deno.test("Reflector reopens a watch that lasted for over a second without a pause", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [lasting(t, 1_500)];
  await t.start(9_000);
  assertEquals(t.source.times, [0, 0, 1_500, 3_000, 4_500, 6_000, 7_500, 9_000]);
});

Deno.test("Reflector is not delayed by the request limit during its first retries", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const unknown = failing(status(422, "Invalid"));
  const down = failing(status(503, "ServiceUnavailable"));
  t.source.watches = [unknown, down, unknown, down, unknown, () => new Stream()];
  await t.start(10_000);
  assertEquals(t.source.times, [0, 0, 0, 800, 800, 800, 2_400, 2_400, 2_400]);

  await using u = new ReflectorHarness({ streaming: true });
  u.source.watches = [unknown];
  u.source.lists = [failing(status(500, "InternalError"))];
  await u.start(10_000);
  assertEquals(u.source.times, [0, 0, 800, 800, 2_400, 2_400, 5_600, 5_600]);
});

Deno.test("Reflector counts a request twice if the runtime may have sent it twice", async () => {
  await using t = new ReflectorHarness({ streaming: true });
  const unknown = failing(status(422, "Invalid"));
  const reset = failing(new TypeError("connection reset"));
  t.source.watches = [unknown, reset, unknown, reset, unknown, reset];
  await t.start(10_500);
  assertEquals(t.source.times, [0, 0, 0, 800, 800, 800, 2_400, 10_500, 10_500]);
});

Deno.test("Reflector reads many pages of a list without waiting, but waits before it lists again", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [(options) => {
    const page = Number(options.continue ?? 0) + 1;
    return page < 40
      ? {
        metadata: { resourceVersion: "10", continue: String(page) },
        items: [pod(`p${page}`, "1")],
      }
      : listOf("10", pod("last", "1"));
  }];
  t.source.watches = [failing(status(403, "Forbidden")), () => new Stream()];
  await t.start();
  assertEquals(t.store.objects.size, 40);
  assertEquals(t.source.asked.length, 41);
  await t.clock.advance(10_499);
  assertEquals(t.source.asked.length, 41);
  await t.clock.advance(1);
  assertEquals(t.source.asked.length, 82);
});
