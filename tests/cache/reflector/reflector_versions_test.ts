/** Only strings are versions. A version that is lost, refused or silent is given up, and the next list mends the cache. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { StatusError, type WatchEvent } from "../../../src/types/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import { added, bookmark, deleted, listOf, modified, pod, Stream } from "./_scripted_source.ts";

const NO_VERSIONS: readonly unknown[] = [
  undefined,
  null,
  "",
  "0",
  0,
  7,
  true,
  [],
  ["12"],
  {},
  { toString: 1 },
  "9".repeat(2_000),
];

function withVersion(type: string, version: unknown): WatchEvent<Pod> {
  const object = pod("b", "11");
  return {
    type,
    object: { ...object, metadata: { ...object.metadata, resourceVersion: version } },
  } as WatchEvent<Pod>;
}

for (const type of ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]) {
  for (const version of NO_VERSIONS) {
    const shown = JSON.stringify(version)?.slice(0, 20);
    Deno.test(`Reflector lists again after a watch that ended with ${type} at version ${shown}`, async () => {
      await using t = new ReflectorHarness();
      t.source.lists = [() => listOf("10", pod("a", "9")), () => listOf("20", pod("b", "19"))];
      t.source.watches = [
        () => new Stream().send(added(pod("c", "11")), withVersion(type, version)).end(),
        () => new Stream(),
      ];
      await t.start();
      assertEquals(t.reflector.lastSyncResourceVersion(), "11");
      await t.clock.advance(60_000);
      assertEquals(t.source.log, ["list 0", "watch 10", "list 11", "watch 20"]);
      assertEquals([...t.store.objects.keys()], ["b"]);
      assertStringIncludes(t.logger.lines.join("\n"), "has no resource version");
    });
  }
}

Deno.test("Reflector resumes a watch that has found its version again", async () => {
  await using t = new ReflectorHarness();
  t.source.watches = [
    () =>
      new Stream().send(withVersion("MODIFIED", 5), deleted(pod("b", "12")), bookmark("13")).end(),
    () => new Stream(),
  ];
  await t.start();
  assertEquals(t.source.log, ["list 0", "watch 10", "watch 13"]);
});

for (const version of NO_VERSIONS) {
  Deno.test(`Reflector watches after a list at version ${JSON.stringify(version)?.slice(0, 20)}, and lists rarely`, async () => {
    await using t = new ReflectorHarness({ watchIdleLimitMs: Infinity });
    t.source.lists = [() => ({ metadata: { resourceVersion: version as string }, items: [] })];
    t.source.watches = [() => new Stream()];
    await t.start(3_600_000);
    const lists = t.source.asked.filter(({ verb }) => verb === "list").length;
    assert(lists <= 12, `${lists} lists in an hour`);
    assertEquals(t.source.asked.filter(({ verb }) => verb === "watch").length, lists);
  });
}

for (const start of ["", "0"]) {
  Deno.test(`Reflector lists again after a watch that was opened at version "${start}", whatever version it reached`, async () => {
    await using t = new ReflectorHarness();
    const stream = new Stream().send(bookmark("12"));
    // "b" was deleted between the list and the watch: no event tells so.
    t.source.lists = [() => listOf(start, pod("b", "9")), () => listOf("20", pod("a", "19"))];
    t.source.watches = [() => stream, () => new Stream()];
    await t.start(1_000);
    assertEquals(t.reflector.lastSyncResourceVersion(), "12");
    stream.end();
    await t.clock.advance(60_000);
    assertEquals(t.source.log.slice(-2), ["list 12", "watch 20"]);
    assertEquals([...t.store.objects.keys()], ["a"]);
  });
}

for (const code of [400, 422, 414, 431]) {
  Deno.test(`Reflector gives up a version that the server refuses with ${code}`, async () => {
    await using t = new ReflectorHarness();
    const refuse = () => {
      throw new StatusError({ code, reason: "BadRequest", message: "strconv.ParseUint" });
    };
    t.source.lists = [() => listOf("10"), refuse, () => listOf("20", pod("a", "19"))];
    t.source.watches = [
      () => new Stream().send(modified(pod("a", "garbage"))).end(),
      refuse,
      () => new Stream(),
    ];
    await t.start(60_000);
    assertEquals(t.source.log, [
      "list 0",
      "watch 10",
      "watch garbage",
      "list garbage",
      "list ",
      "watch 20",
    ]);
    assertEquals(t.reflector.lastSyncResourceVersion(), "20");
  });
}

Deno.test("Reflector does not list twice when a server refuses lists altogether", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => {
    throw new StatusError({ code: 400, reason: "BadRequest", message: "unknown selector" });
  }];
  await t.start(1_000);
  assertEquals(t.source.log, ["list 0", "list 0"]);
});

Deno.test("Reflector gives up a version about which the server is silent, as after a restored backup", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => listOf("10"), () => listOf("5", pod("old", "4"))];
  t.source.watches = [() => new Stream().send(added(pod("a", "99999999999"))), () => new Stream()];
  await t.start(10 * 65_000);
  const [first, ...rest] = t.source.log;
  assertEquals(first, "list 0");
  assertEquals(rest.slice(0, 6), [
    "watch 10",
    ...Array(5).fill("watch 99999999999"),
  ]);
  assertEquals(rest.slice(6, 8), ["list ", "watch 5"]);
  assertEquals([...t.store.objects.keys()], ["old"]);
  assertStringIncludes(
    t.logger.lines.filter((line) => line.startsWith("warn")).join("\n"),
    "went back from 99999999999 to 5",
  );
});

Deno.test("Reflector says nothing of a step back when the server is at the version that it was silent about", async () => {
  await using t = new ReflectorHarness();
  t.source.lists = [() => listOf("10"), () => listOf("20")];
  t.source.watches = [() => new Stream().send(added(pod("a", "20"))), () => new Stream()];
  await t.start(10 * 65_000);
  assertEquals(t.source.log.filter((line) => line.startsWith("list")), ["list 0", "list "]);
  assertEquals(t.logger.lines.filter((line) => line.includes("went back")), []);
});

Deno.test("Reflector keeps resuming a watch that receives events between its silences", async () => {
  await using t = new ReflectorHarness();
  let version = 10;
  t.source.watches = [() => new Stream().send(bookmark(`${++version}`))];
  await t.start(3_600_000);
  assertEquals(t.source.log.filter((line) => line.startsWith("list")), ["list 0"]);
});

Deno.test("Reflector gives up a version at which five lists in a row have failed with an answer", async () => {
  await using t = new ReflectorHarness();
  const fail = () => {
    throw new StatusError({ code: 500, reason: "InternalError", message: "cannot parse" });
  };
  t.source.lists = [() => listOf("10"), ...Array(5).fill(fail), () => listOf("20")];
  t.source.watches = [
    () => new Stream().send(modified(pod("a", "garbage"))).end(),
    fail,
    () => new Stream(),
  ];
  await t.start(90_000);
  assertEquals(t.source.log.slice(2), [
    "watch garbage",
    ...Array(5).fill("list garbage"),
    "list ",
    "watch 20",
  ]);
});

for (const code of [403, 429, 503]) {
  Deno.test(`Reflector keeps its version through any number of answers of ${code}`, async () => {
    await using t = new ReflectorHarness();
    const fail = () => {
      throw new StatusError({ code, message: "not now" });
    };
    t.source.lists = [() => listOf("10"), fail];
    t.source.watches = [() => {
      throw new StatusError({ code: 500, message: "not now" });
    }];
    await t.start(600_000);
    const lists = t.source.log.filter((line) => line.startsWith("list")).slice(1);
    assert(lists.length > 15, `${lists.length} lists`);
    assertEquals(new Set(lists), new Set(["list 10"]));
  });
}
