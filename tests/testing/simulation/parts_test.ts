import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import type { KubeObject } from "../../../mod.ts";
import { type ServerWrite, VirtualClock } from "../../../src/testing/mod.ts";
import {
  CloudIds,
  cloudOf,
  type CloudRun,
  Collector,
  type Life,
  ThirdParty,
  urlOf,
} from "../../../src/testing/simulation/world/mod.ts";
import {
  givenObjects,
  History,
  Journal,
  lastKnown,
  type Moment,
  type SentWrite,
} from "../../../src/testing/simulation/record/mod.ts";
import { HotWrites, lastChange, Verdict } from "../../../src/testing/simulation/judge/mod.ts";
import {
  assertClean,
  type Finding,
  findRepeats,
  Report,
} from "../../../src/testing/simulation/report/mod.ts";
import {
  type Plan,
  type PlanFault,
  shrink,
  type ThirdPartyEdit,
} from "../../../src/testing/simulation/plans/mod.ts";
import type { RunRecord } from "../../../src/testing/simulation/judge/mod.ts";

function write(
  type: ServerWrite["type"],
  name: string,
  version: number,
  { metadata = {}, before, ...rest }: { metadata?: object; before?: object; spec?: unknown } = {},
): ServerWrite {
  const head = { name, namespace: "default", uid: name, resourceVersion: String(version) };
  const object = { metadata: { ...head, ...metadata }, ...rest } as unknown as KubeObject;
  const previous = before && ({ metadata: head, ...before } as unknown as KubeObject);
  return {
    type,
    resource: "things",
    namespace: "default",
    name,
    uid: name,
    resourceVersion: String(version),
    text: JSON.stringify(object),
    object: () => structuredClone(object),
    previous: () => previous,
  };
}

Deno.test("Journal knows who wrote what: the first that was answered, and deletes by their UID", () => {
  const journal = new Journal(() => 0, new Set(["old"]), [write("ADDED", "given", 1)]);
  const writes = [
    write("ADDED", "a", 2),
    write("MODIFIED", "a", 3),
    write("ADDED", "b", 4),
    write("DELETED", "a", 5),
    write("DELETED", "b", 6),
  ];
  for (const one of writes) journal.enter(one);
  const answer = (metadata: object, details?: object) => JSON.stringify({ metadata, details });
  assertEquals(journal.attribute(answer({ resourceVersion: "2" }), "p"), 2);
  assertEquals(journal.attribute(answer({ resourceVersion: "2" }), "q"), 2);
  assertEquals(journal.attribute(answer({}, { uid: "a" }), "q"), 0);
  const ended = { uid: "b", deletionTimestamp: "x", resourceVersion: "9" };
  assertEquals(journal.attribute(answer({ ...ended, finalizers: ["f"] }), "x"), 9);
  assertEquals(journal.writerOf(writes[4]!), "the cluster");
  assertEquals(journal.attribute(answer(ended), "p"), 9);
  assertEquals(journal.attribute("not JSON", "p"), 0);
  assertEquals(writes.map(journal.writerOf), ["p", "the cluster", "the cluster", "q", "p"]);
  assertEquals(
    journal.counts((who) => who !== "q"),
    new Map([
      ["p creates things", 1],
      ["the cluster creates things", 1],
      ["p deletes things", 1],
    ]),
  );
  assertEquals([...journal.objects.keys()], ["things default/given"]);
  assertEquals(["old", "a", "given"].map((uid) => journal.exists(uid)), [true, false, false]);
  assertEquals([journal.idOf("3"), journal.versionOf("DELETED things default/a #1")], [
    "MODIFIED things default/a #1",
    "5",
  ]);
});

Deno.test("Journal knows who has marked an object as terminating, and who has deleted a collection", () => {
  const deleted = (answers: readonly object[], between = false) => {
    const journal = new Journal(() => 0, new Set(), []);
    const terminating = { ...write("MODIFIED", "a", 2) };
    const object = { metadata: { name: "a", deletionTimestamp: "x" } } as KubeObject;
    const writes = [
      write("ADDED", "a", 1),
      { ...terminating, object: () => object },
      ...(between ? [write("ADDED", "b", 3)] : []),
      write("DELETED", "a", 4),
    ];
    for (const one of writes) journal.enter(one);
    for (const answer of answers) journal.attribute(JSON.stringify(answer), "p");
    return [writes[1]!, writes.at(-1)!].map(journal.writerOf);
  };
  assertEquals(deleted([{ details: { uid: "a" } }]), ["p", "p"]);
  assertEquals(deleted([{ items: [{ metadata: { uid: "b" } }, { metadata: { uid: "a" } }] }]), [
    "p",
    "p",
  ]);
  // Another request came between both.
  assertEquals(deleted([{ details: { uid: "a" } }], true), ["the cluster", "p"]);
  assertEquals(deleted([]), ["the cluster", "the cluster"]);
});

Deno.test("Journal tells what is wanted by what exists when everything has settled", () => {
  const journal = new Journal(() => 0, new Set(), []);
  const { history } = journal;
  const step = (index: number) => history.add({ kind: "step", index, text: "" });
  step(0);
  journal.enter(write("ADDED", "a", 1));
  journal.enter(write("ADDED", "b", 2));
  history.add({ kind: "settled", index: 1 });
  step(2);
  journal.enter(write("DELETED", "a", 3));
  journal.enter(write("ADDED", "a", 4));
  journal.enter(write("DELETED", "b", 5));
  history.add({ kind: "settled", index: 3 });
  step(4);
  journal.enter(write("ADDED", "b", 6));
  const { after, during } = journal.wanted();
  const names = (sets: ReadonlyMap<number, ReadonlySet<string>>) =>
    [...sets].map(([index, set]) => `${index}: ${[...set].map((one) => one.at(-1)).join("")}`);
  assertEquals([names(during), names(after)], [
    ["0: ab", "2: ", "4: ab"],
    ["0: ab", "2: a", "4: ab"],
  ]);
});

Deno.test("Journal that keeps nothing has only the newest write of each object", () => {
  const journal = new Journal(() => 0, new Set(), [], false);
  journal.enter(write("ADDED", "a", 1));
  journal.enter(write("MODIFIED", "a", 2));
  journal.enter(write("ADDED", "b", 3));
  journal.enter(write("DELETED", "b", 4));
  assertEquals([...journal.objects.values()].map((one) => one.resourceVersion), ["2"]);
  assertEquals([journal.commits, journal.history.moments], [[], []]);
  assertEquals(["a", "b"].map((uid) => journal.exists(uid)), [true, false]);
});

Deno.test("Journal names an object whose name is generated by its prefix", () => {
  const journal = new Journal(() => 0, new Set(), []);
  for (const name of ["a-x1", "a-x2", "b"]) {
    journal.enter(write("ADDED", name, 1, { metadata: { generateName: "a-" } }));
  }
  journal.enter(write("ADDED", "undefined", 1));
  assertEquals(journal.commits.map(({ id }) => id), [
    "ADDED things default/a-* #1",
    "ADDED things default/a-* #2",
    "ADDED things default/b #1",
    "ADDED things default/undefined #1",
  ]);
  assertEquals(["a-x1", "b", "c"].map((uid) => journal.exists(uid)), [true, true, false]);
});

Deno.test("HotWrites finds the 61st change of an object within a minute", () => {
  let nowMs = 0;
  const journal = new Journal(() => nowMs, new Set(), []);
  const hot = new HotWrites(journal, () => nowMs, 60);
  let version = 0;
  const count = (name = "a", process = "p") => {
    const one = write("MODIFIED", name, ++version, { before: { spec: 1 }, spec: version });
    journal.enter(one);
    journal.writers.set(version, "p");
    return hot.count({ ...one, version, process } as unknown as SentWrite);
  };
  for (let i = 0; i < 60; i++) assertEquals(count(), undefined);
  assertEquals([count("b"), count("a", "q")], [undefined, undefined]);
  nowMs = 60_000;
  const said = count();
  assertEquals(said?.split(":")[0], "p has changed things default/a 61 times within a minute");
  assertEquals(said?.endsWith(`changes things default/a, field spec, from 1 to ${version}`), true);
  nowMs = 60_001;
  assertEquals(count(), undefined);
  // The answer to a write that changes nothing has the version of an earlier one.
  const again = { ...write("MODIFIED", "a", version), version, process: "p" };
  for (let i = 0; i < 99; i++) assertEquals(hot.count(again as unknown as SentWrite), undefined);
});

Deno.test("lastChange() says who has done what", () => {
  const journal = new Journal(() => 0, new Set(), []);
  journal.writers.set(7, "p");
  const said = (one: ServerWrite) => lastChange(one, journal);
  assertEquals(said(write("DELETED", "a", 7)), "p deletes things default/a");
  assertEquals(said(write("ADDED", "a", 8)), "the cluster creates things default/a");
  const times = write("MODIFIED", "a", 7, { before: {} });
  assertEquals(said(times), "p writes things default/a, and changes only times or versions");
});

Deno.test("History compares everything that happened, with its times", () => {
  const of = (...ids: number[]) => {
    const history = new History(() => ids[0] ?? 0);
    for (const index of ids) history.add({ kind: "settled", index });
    return history;
  };
  assertEquals(of(1, 2).equals(of(1, 2)), true);
  assertEquals([of(1, 2).equals(of(1, 3)), of(1, 2).equals(of(1)), of(1).equals(of(1, 2))], [
    false,
    false,
    false,
  ]);
  assertEquals(of(1).hash() === of(1).hash(), true);
  assertEquals(of(1).hash() === of(2).hash(), false);
});

Deno.test("lastKnown() finds what a process was given last in its life", () => {
  const object = (name: string, version: number, namespace = "default") => ({
    metadata: { name, namespace, resourceVersion: String(version) },
  });
  const line = (type: string, one: object) => `${JSON.stringify({ type, object: one })}\n`;
  const seen = (text: string, process = "p", resource = "things"): Moment => ({
    atMs: 0,
    kind: "seen",
    process,
    resource,
    bytes: new TextEncoder().encode(text),
  });
  const read = (body: object, status = 200): Moment => ({
    atMs: 0,
    kind: "read",
    process: "p",
    id: "p list things #1",
    verb: "list",
    resource: "things",
    status,
    text: JSON.stringify(body),
  });
  const starts: Moment = { atMs: 0, kind: "process", process: "p", text: "starts" };
  const last = (...moments: Moment[]) => {
    const history = { moments } as unknown as History;
    const known = lastKnown(history, "p", "things", { name: "a", namespace: "default" });
    return known && `${known.type} ${known.object.metadata.resourceVersion}`;
  };
  const first = seen(line("ADDED", object("a", 1)) + line("MODIFIED", object("a", 2)));
  assertEquals(last(first), "MODIFIED 2");
  assertEquals(last(first, seen(line("ADDED", object("b", 3)))), "MODIFIED 2");
  assertEquals(last(first, seen(line("ADDED", object("a", 3, "other")))), "MODIFIED 2");
  assertEquals(last(first, seen(line("ADDED", object("a", 3)), "q")), "MODIFIED 2");
  assertEquals(last(first, seen(line("ADDED", object("a", 3)), "p", "others")), "MODIFIED 2");
  assertEquals(last(first, read({ items: [object("b", 4), object("a", 4)] })), "READ 4");
  assertEquals(last(first, read(object("a", 5))), "READ 5");
  assertEquals(last(first, read(object("a", 5), 404)), "MODIFIED 2");
  assertEquals(last(first, starts), undefined);
  assertEquals(last(starts, first, { ...starts, process: "q" }), "MODIFIED 2");
  assertEquals(last(first, { ...starts, text: "is killed" }), "MODIFIED 2");
  assertEquals(givenObjects(seen('{"type":"BOOKMARK"}\n{"type":"ADD')), []);
});

Deno.test("findRepeats() finds what comes three times in a row, in periods of up to eight", () => {
  const found = (text: string) =>
    findRepeats([...text], (one) => one).map(({ items, times }) => `${items.join("")}*${times}`)
      .join(" ");
  assertEquals(found("aab"), "a*1 a*1 b*1");
  assertEquals(found("aaab"), "a*3 b*1");
  assertEquals(found("abababc"), "ab*3 c*1");
  assertEquals(found("abcdefgh".repeat(3)), "abcdefgh*3");
  assertEquals(found("abcdefghi".repeat(3)).includes("*3"), false);
  assertEquals(found("aabaabaab"), "aab*3");
});

interface Sent {
  readonly name: string;
  readonly method: string;
  readonly body: unknown;
}

/** Collects once, and returns what was sent. */
async function collected(
  writes: readonly ServerWrite[],
  live: readonly string[] = [],
): Promise<string[]> {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const collector = new Collector({
    clock,
    objects: new Map(writes.map((one) => [one.name, one])),
    exists: (uid) => live.includes(uid),
    send: ({ name }, method, body) => {
      sent.push({ name, method, body });
      return Promise.resolve();
    },
  });
  for (const one of writes) collector.onWrite(one);
  await clock.advance(4999);
  assertEquals(sent, []);
  await clock.advance(1);
  assertEquals(clock.pendingTimers, 0);
  collector.onWrite(write("DELETED", "x", 9));
  assertEquals(clock.pendingTimers, 1);
  return sent.map(({ body, method, name }) => `${method} ${name} ${JSON.stringify(body)}`);
}

Deno.test("Collector deletes objects without owners, and orphans or waits as the policy says", async () => {
  const owners = (...uids: string[]) => ({
    metadata: { ownerReferences: uids.map((uid) => ({ uid, blockOwnerDeletion: uid === "b" })) },
  });
  const gone = (...finalizers: string[]) => ({
    metadata: { deletionTimestamp: "x", finalizers },
  });
  const child = write("ADDED", "c", 1, owners("o"));
  assertEquals(await collected([child]), ['DELETE c {"preconditions":{"uid":"c"}}']);
  assertEquals(await collected([child], ["o"]), []);
  assertEquals(await collected([write("ADDED", "c", 1, owners("o", "p"))], ["p"]), []);
  assertEquals(await collected([write("ADDED", "c", 1)]), []);
  const orphaned = [
    write("MODIFIED", "o", 2, gone("orphan", "f")),
    write("ADDED", "c", 1, owners("o", "p")),
  ];
  assertEquals(await collected(orphaned, ["o"]), [
    'PATCH c {"metadata":{"ownerReferences":[{"uid":"p","blockOwnerDeletion":false}]}}',
    'PATCH o {"metadata":{"finalizers":["f"]}}',
  ]);
  const foreground = (uid: string, rest: object = {}) => {
    const { metadata } = owners(uid);
    return [
      write("MODIFIED", uid, 2, gone("foregroundDeletion")),
      write("ADDED", "c", 1, { metadata: { ...metadata, ...rest } }),
    ];
  };
  const remove = 'DELETE c {"propagationPolicy":"Foreground","preconditions":{"uid":"c"}}';
  const release = (uid: string) => `PATCH ${uid} {"metadata":{"finalizers":[]}}`;
  assertEquals(await collected(foreground("o"), ["o"]), [remove, release("o")]);
  assertEquals(await collected(foreground("b"), ["b"]), [remove]);
  assertEquals(await collected(foreground("b", { deletionTimestamp: "x" }), ["b"]), []);
  assertEquals(await collected([write("MODIFIED", "o", 2, gone("foregroundDeletion"))]), [
    release("o"),
  ]);
});

Deno.test("Collector looks at the objects only after a write that it may have to follow", () => {
  const timers = (one: ServerWrite) => {
    const clock = new VirtualClock();
    new Collector({ clock } as never).onWrite(one);
    return clock.pendingTimers;
  };
  const metadata = (rest: object) => write("MODIFIED", "a", 2, { metadata: rest });
  const deletionTimestamp = "x";
  assertEquals(
    [
      write("DELETED", "a", 2),
      metadata({ ownerReferences: [{ uid: "o" }] }),
      metadata({ deletionTimestamp, finalizers: ["f", "orphan"] }),
      metadata({ deletionTimestamp, finalizers: ["foregroundDeletion"] }),
      write("ADDED", "a", 1),
      metadata({ deletionTimestamp }),
      metadata({ deletionTimestamp, finalizers: ["f"] }),
      metadata({ finalizers: ["orphan"] }),
    ].map(timers),
    [1, 1, 1, 1, 0, 0, 0, 0],
  );
});

Deno.test("shrink() drops the faults that are not needed, and shortens the others", async () => {
  const hold = { fault: "hold", process: "p", scope: "watch", event: "e", forMs: 60_000 } as const;
  const record = (oracle: string) =>
    ({ wrong: oracle === "" ? [] : [{ oracle }] }) as unknown as RunRecord;
  const plan: Plan = { seed: 1, faults: [{ fault: "late" }, hold, { fault: "order" }] };
  const tried: Plan[] = [];
  const shrunk = async (needed: (plan: Plan) => string) => {
    tried.length = 0;
    const { plan: best } = await shrink(plan, record("x"), [], (one) => {
      tried.push(one);
      return Promise.resolve(record(needed(one)));
    });
    return best.faults.map((fault) =>
      "forMs" in fault ? `${fault.fault} ${fault.forMs}` : fault.fault
    )
      .join();
  };
  const has = ({ faults }: Plan, fault: string) => faults.some((one) => one.fault === fault);
  assertEquals(await shrunk((one) => has(one, "order") ? "x" : ""), "order");
  assertEquals(await shrunk((one) => has(one, "hold") ? "x" : ""), "hold 1000");
  const long = ({ faults }: Plan) =>
    faults.some((one) => one.fault === "hold" && one.forMs >= 30_000) ? "x" : "";
  assertEquals(await shrunk(long), "hold 30000");
  // Another way to end wrong is another bug.
  assertEquals(await shrunk(() => "y"), "late,hold 60000,order");
  assertEquals(tried.length, 6);
  let runs = 0;
  const endless: Plan = { seed: 1, faults: Array.from({ length: 99 }, () => ({ fault: "late" })) };
  await shrink(endless, record("x"), [], () => {
    runs++;
    return Promise.resolve(record(""));
  });
  assertEquals(runs, 60);
});

Deno.test("shrink() leaves out steps of the workload with the waits for them, except those that a fault needs", async () => {
  const kinds = ["write", "settle", "write", "settle", "act", "wait", "write", "settle"] as const;
  const workload = kinds.map((kind) => ({ kind }));
  const wrong = (object: string, field?: string) => [{
    oracle: "end state" as const,
    message: "",
    object,
    ...(field && { field }),
    atMs: 0,
  }];
  const record = (object: string, field?: string) =>
    ({ wrong: wrong(object, field), endedAfter: 5 }) as unknown as RunRecord;
  const shrunk = async (
    faults: readonly PlanFault[],
    run: (without: readonly number[]) => RunRecord | undefined,
  ) => {
    const { plan } = await shrink(
      { seed: 1, faults },
      record("a", "f"),
      workload,
      ({ without = [] }) => Promise.resolve(run(without)),
    );
    return plan.without;
  };
  const late = [{ fault: "late" }] as const;
  const all = record("a", "f");
  assertEquals(await shrunk(late, () => all), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(
    await shrunk(late, (without) => without.includes(2) ? record("a", "g") : all),
    [0, 1, 4, 5, 6, 7],
  );
  assertEquals(
    await shrunk(late, (without) => without.includes(0) ? record("b", "f") : all),
    [2, 3, 4, 5, 6, 7],
  );
  // A run that proves nothing, a wait that something else needs, and a fault of a step.
  assertEquals(await shrunk(late, (without) => without.length > 2 ? undefined : all), [6, 7]);
  assertEquals(
    await shrunk(late, (without) => without.includes(3) ? record("", "") : all),
    [0, 1, 2, 4, 5, 6, 7],
  );
  assertEquals(await shrunk([{ fault: "skip", step: 3 }], () => all), [0, 1, 2, 4, 5, 6, 7]);
  assertEquals(await shrunk([{ fault: "shortcut" }], () => all), undefined);
});

/** An external world whose calls are noted. */
function cloud(faults: readonly PlanFault[] = []) {
  const log: string[] = [];
  const life = {
    isDead: false,
    deliver: (value: unknown) => Promise.resolve(value),
    fail: (error: unknown) => Promise.reject(error),
    begin: () => () => {},
  };
  const run: CloudRun = {
    begin: (what) => {
      log.push(what);
      return { id: what, faults };
    },
    takeEffect: ({ fault }) => void log.push(`took ${fault}`),
    revert: ({ fault }) => void log.push(`back ${fault}`),
    kill: () => void log.push("kill"),
    called: () => void log.push("called"),
    learned: () => void log.push("news"),
    ids: new CloudIds(),
    answers: new Map(),
  };
  let asked = 0;
  const world = {
    size: 3,
    make: (name: unknown, size = 1) => ({ id: `disk-${size}`, name }),
    later: (name: string) => Promise.resolve(name),
    broken: () => Promise.reject(new Error("full")),
    hold: (what: unknown) => what,
    ask: () => [new Promise<number>(() => {}), Promise.resolve(undefined), 5][asked++],
    state: () => "all",
  };
  const proxied = cloudOf(world, "p", life as unknown as Life, run);
  return { log, life, run, world: proxied, taken: () => log.splice(0) };
}

Deno.test("cloudOf() notes each call, and as news only what was not known", async () => {
  const { run, taken, world } = cloud();
  world.make("a");
  assertEquals(taken(), ["p calls make(a)", "news", "called"]);
  world.make("a");
  assertEquals(taken(), ["p calls make(a)", "called"]);
  world.make("a", 2);
  assertEquals(taken(), ["p calls make(a)", "news", "called"]);
  assertEquals([...run.ids.issued], ["disk-1", "disk-2"]);
  assertEquals([world.size, world.state(), taken()], [3, "all", []]);
  assertEquals(await world.later("x"), "x");
  assertEquals(taken(), ["p calls later(x)", "news", "called"]);
  await assertRejects(() => world.broken(), Error, "full");
  assertEquals(taken(), ["p calls broken()", "news"]);
  const uid = "11111111-1111-4111-8111-111111111111";
  world.make({ metadata: { name: "w" } });
  world.make({ uid });
  world.make("y".repeat(60));
  world.make("y".repeat(61));
  assertEquals(taken().filter((one) => one.startsWith("p")), [
    "p calls make(w)",
    'p calls make({"uid":"UID"})',
    `p calls make(${"y".repeat(60)})`,
    `p calls make(${"y".repeat(59)}…)`,
  ]);
  assertEquals(cloudOf(5, "p", {} as Life, run), 5);
});

Deno.test("cloudOf() lets faults hit calls, before or after they are made", () => {
  const before = cloud([{ fault: "crash", when: "before", write: "w" }]);
  assertEquals(before.world.make("a") instanceof Promise, true);
  assertEquals(before.taken(), ["p calls make(a)", "took crash", "kill"]);
  const after = cloud([{ fault: "crash", when: "after", write: "w" }]);
  after.world.make("a");
  assertEquals(after.taken(), [
    "p calls make(a)",
    "news",
    "called",
    "back crash",
    "took crash",
    "kill",
  ]);
  const answer = cloud([{ fault: "answer", code: 500, write: "w" }]);
  assertThrows(() => answer.world.make("a"), Error, "Injected failure 500");
  assertEquals(answer.taken(), ["p calls make(a)", "took answer"]);
  const lost = cloud([{ fault: "lose", write: "w" }]);
  assertThrows(() => lost.world.make("a"), Error, "Connection reset by an injected fault");
  assertEquals(lost.taken(), ["p calls make(a)", "news", "called", "back lose", "took lose"]);
  const dead = cloud();
  dead.life.isDead = true;
  assertEquals([dead.world.make("a") instanceof Promise, dead.taken()], [true, []]);
});

Deno.test("cloudOf() takes what belongs to the simulation and what has no name for no calls", () => {
  const { life, run, taken } = cloud();
  class Disks {
    readonly #names = ["a"];
    static isMade = (one: unknown) => one instanceof this;
    state() {
      return this.#names;
    }
    invariant() {
      return this.#names.length === 1;
    }
    *[Symbol.iterator]() {
      yield* this.#names;
    }
  }
  const world = cloudOf(new Disks(), "p", life as unknown as Life, run);
  assertEquals([world.state(), world.invariant(), [...world]], [["a"], true, ["a"]]);
  const { constructor } = world;
  assertEquals([Disks.isMade(Reflect.construct(constructor, [])), taken()], [true, []]);
});

Deno.test("cloudOf() takes an answer for news only if the call was answered before", async () => {
  const { run, taken, world } = cloud();
  world.make("vol-7");
  // The process has sent the name, so it is not an id of the external world.
  assertEquals([...run.ids.issued], ["disk-1"]);
  const first = world.later("x");
  const second = world.later("x");
  await Promise.all([first, second]);
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const answers = run.answers.size;
  world.hold(circular);
  assertEquals(taken().filter((one) => one.startsWith("p") || one === "news"), [
    "p calls make(vol-7)",
    "news",
    "p calls later(x)",
    "news",
    "p calls later(x)",
    "p calls hold()",
    "news",
  ]);
  assertEquals([...run.answers].slice(answers), [["p hold ", ""]]);
  void world.ask();
  // The first call is not answered yet, and the second is answered with nothing.
  await world.ask();
  assertEquals(taken(), ["p calls ask()", "news", "p calls ask()", "called"]);
  assertEquals([world.ask(), taken()], [5, ["p calls ask()", "news", "called"]]);
});

Deno.test("CloudIds takes texts with digits for ids, unless a process has sent them before", () => {
  const ids = new CloudIds();
  ids.sent([{ name: "my-1" }]);
  ids.answered({ a: ["vol-1", "my-1", "v1.2", "12345", "10.0.0.1", "ab", "abc", "x1"] });
  ids.answered({ a: { b: { c: { d: { e: "deep-5" } } } } });
  ids.answered({ a: { b: { c: { d: { e: { f: "deeper-6" } } } } } });
  ids.sent(["vol-1"]);
  ids.answered("vol-1");
  assertEquals([...ids.issued], ["vol-1", "10.0.0.1", "deep-5"]);
});

Deno.test("Verdict keeps five wrongs of a kind, each once, and notes", () => {
  const history = new History(() => 7);
  const verdict = new Verdict(history, () => 7);
  for (const name of "aabcdef") verdict.add("invariant", name);
  verdict.add("process", "a");
  for (const note of ["x", "x", "y"]) verdict.note(note);
  assertEquals(
    verdict.wrong.map(({ atMs, message, oracle }) => `${atMs} ${oracle} ${message}`),
    [..."abcde"].map((name) => `7 invariant ${name}`).concat("7 process a"),
  );
  assertEquals(history.moments.length, 6);
  assertEquals(verdict.notes, ["x", "y"]);
});

/** The run without faults of a report. */
const CALM = {
  plan: { seed: 3, faults: [] },
  notes: ["n"],
  outside: [],
} as unknown as RunRecord;

Deno.test("Report says how many plans were run, by kind of fault", () => {
  const report = new Report(undefined, CALM);
  assertEquals(
    report.toString(),
    "The simulation: 0 plans in 0.0 s, 0 without effect, 0 wrong; ended: all plans were run",
  );
  const late: PlanFault = { fault: "late" };
  const restart = (step: number): PlanFault => ({ fault: "restart", process: "p", step });
  assertEquals(report.tookMs, 0);
  report.count({ seed: 1, faults: [late] }, { isIdle: false, taken: [0] });
  report.tookMs = 1250;
  const head = "The simulation: 1 plan in 1.3 s, 0 without effect, 0 wrong; ended: ";
  const kinds = "\n\nPlans by kind of fault:\n  late: 1 alone";
  const ends = {
    "all plans": "all plans were run",
    time: "the budget of time is used up",
    findings: "enough was found",
    reference: "the run without faults is wrong",
    replay: "only the plan of KUBELOOP_PLAN was run",
    plans: "the budget of plans is used up",
  } as const;
  for (const [ended, text] of Object.entries(ends)) {
    report.ended = ended as keyof typeof ends;
    assertEquals(report.toString(), head + text + kinds);
  }
  assertStringIncludes(report.timeline(), `<h1>Simulation</h1><p>${head}${ends.plans}</p>`);
  const both = [restart(1), restart(2), late];
  report.count({ seed: 1, faults: both }, { isIdle: true, taken: [] }, ["p uses fetch() at f:1:2"]);
  assertEquals(report.toString().split("\n").slice(1), [
    "",
    "Plans by kind of fault:",
    "  late: 1 alone, 1 with others, 1 without effect",
    "  restart: 0 alone, 1 with others, 1 without effect",
    "Faults that never took effect: restart",
    "",
    "Outside of the simulation, so that it may differ from run to run:",
    "  p uses fetch() at f:1:2",
  ]);
  assertEquals(JSON.parse(JSON.stringify(report)), {
    seed: 3,
    plans: 2,
    noEffect: 1,
    wrong: 0,
    derived: 0,
    neverMet: ["restart"],
    pairsNeverMet: ["late and late", "late and restart", "restart and restart"],
    outside: ["p uses fetch() at f:1:2"],
    unread: [],
    ended: "plans",
    faults: {
      late: { derived: 0, alone: 1, plans: 2, noEffect: 1 },
      restart: { derived: 0, alone: 0, plans: 1, noEffect: 1 },
    },
    notes: ["n"],
    findings: [],
  });
  assertClean(report);
  const found = { toString: () => "what was found", plans: 1, record: { wrong: [] } };
  report.add(found as unknown as Finding, "a bug");
  assertEquals([report.knows("a bug"), report.knows("another bug")], [true, false]);
  assertEquals([report.findings.length, report.wrong], [1, 2]);
  assertEquals(report.toString().split("\n").slice(1, 4), ["", "what was found", ""]);
});

Deno.test("Report names the derived faults and pairs that never met", () => {
  const [late, order] = [{ fault: "late" }, { fault: "order" }] as const;
  const single = (fault: PlanFault) => ({ seed: 1, faults: [fault] });
  const report = new Report("mine", CALM, [single(late), single(order), single(late)]);
  const took = { isIdle: false, taken: [0] };
  report.count(single(late), took);
  assertStringIncludes(report.toString(), "mine: 1 plan (1 of 3 with one fault) in");
  report.ended = "time";
  assertThrows(
    () => assertClean(report),
    Error,
    "The budget of time ended after 1 of 3 plans with one fault",
  );
  report.count(single(order), took);
  report.count(single(late), took);
  assertClean(report);
  report.count({ seed: 1, faults: [late, order] }, { isIdle: false, taken: [0, 1] });
  assertEquals(report.toString().split("\n").slice(2), [
    "Plans by kind of fault:",
    "  late: 2 of 2 alone, 1 with others",
    "  order: 1 of 1 alone, 1 with others",
    "Pairs of faults that never met: late and late, order and order",
  ]);
});

Deno.test("assertClean() does not take plans without effect for a proof, nor none", () => {
  const report = new Report(undefined, CALM);
  report.count({ seed: 1, faults: [{ fault: "late" }] }, { isIdle: true, taken: [] });
  assertThrows(() => assertClean(report), Error, "No plan of the simulation changed anything");
  report.ended = "replay";
  report.misfits = ["why"];
  assertThrows(
    () => assertClean(report),
    Error,
    "The plan of KUBELOOP_PLAN changed nothing: it no longer fits this simulation. why",
  );
  const none = new Report("mine", CALM);
  assertThrows(() => assertClean(none), Error, "The simulation ran no plan");
  assertEquals(none.toJSON().simulation, "mine");
});

Deno.test("assertClean() cuts a report of more than 20,000 characters", () => {
  const report = new Report(undefined, CALM);
  const found = (length: number) => {
    const finding = { toString: () => "x".repeat(length) } as unknown as Finding;
    Object.defineProperty(report, "findings", { value: [finding], configurable: true });
    return assertThrows(() => assertClean(report), Error, "The simulation found a bug.").message;
  };
  const rest = found(0).length;
  assertEquals(found(20_000 - rest).endsWith("x"), true);
  assertEquals([found(20_001 - rest).endsWith("\n… (cut here)"), found(30_000).length], [
    true,
    20_013,
  ]);
  report.ended = "reference";
  assertThrows(() => assertClean(report), Error, "The simulation is wrong without any fault.");
});

/** Adds an entry to the thing `a`, and returns the verdict on the writes that follow. */
async function added(
  edit: ThirdPartyEdit,
  writes: readonly ServerWrite[],
  { answer = {}, isOk = true, subresource = "", writer = "p", child = false }: {
    readonly answer?: object;
    readonly isOk?: boolean;
    readonly subresource?: string;
    readonly writer?: string;
    readonly child?: boolean;
  } = {},
): Promise<string[]> {
  const clock = new VirtualClock();
  const journal = new Journal(() => 0, new Set(), []);
  const log: string[] = [];
  const verdict = {
    add: (oracle: string, text: string) => void log.push(`${oracle}: ${text}`),
    note: (text: string) => void log.push(`note: ${text}`),
  };
  const server = {
    fetch: (url: string, init?: RequestInit) => {
      log.push(`${init?.method ?? "GET"} ${url} ${init?.body ?? ""}`.trim());
      const status = isOk ? 200 : 404;
      return Promise.resolve(
        Response.json({ metadata: { uid: "a", namespace: "default", ...answer } }, { status }),
      );
    },
  };
  const isProcess = (name: string) => name === "p";
  const party = new ThirdParty({ server, clock, journal, verdict, isProcess } as never);
  const url = new URL(`http://x/things/a${subresource === "" ? "" : `/${subresource}`}?y=1`);
  const request = { name: "a", namespace: "default", subresource, url };
  const isDone = await party.edit(edit, request as never, "things");
  log.push(String(isDone));
  const first = write("ADDED", "a", 1);
  for (const one of [first, ...writes]) {
    journal.enter(one);
    journal.writers.set(Number(one.resourceVersion), one === first && !child ? "user" : writer);
    if (one !== first) party.onWrite(one);
  }
  await clock.advance(60_000);
  party.end();
  return log;
}

Deno.test("ThirdParty adds to an object, and says who has dropped it", async () => {
  const kept = { finalizers: ["f", "another-client.example.com/was-here"] };
  const mark = { "another-client.example.com/was-here": "yes" };
  const dropped = write("MODIFIED", "a", 2, { metadata: {} });
  const leaving = { ...kept, deletionTimestamp: "x" };
  assertEquals(
    [
      await added("finalizer", [
        write("MODIFIED", "a", 2, { metadata: kept }),
        write("MODIFIED", "a", 3),
      ]),
      await added("label", [
        write("MODIFIED", "a", 2, { metadata: { labels: mark } }),
        write("MODIFIED", "a", 3),
      ]),
      await added("annotation", [write("MODIFIED", "a", 2, { metadata: { annotations: mark } })]),
      await added("annotation", [dropped, write("MODIFIED", "a", 3)], {
        child: true,
        subresource: "status",
      }),
      await added("finalizer", [dropped], { child: true, answer: { finalizers: ["f"] } }),
      await added("finalizer", [dropped], { writer: "user" }),
      await added("finalizer", [write("DELETED", "a", 2, { metadata: kept })]),
      await added("label", [write("DELETED", "a", 2, { metadata: { labels: mark } })]),
      await added("finalizer", [{ ...dropped, uid: "other" }]),
      await added("finalizer", [
        write("MODIFIED", "a", 2, { metadata: leaving }),
        write("MODIFIED", "a", 3, { metadata: leaving }),
      ]),
      await added("finalizer", [
        write("MODIFIED", "a", 2, { metadata: leaving }),
        write("DELETED", "a", 3),
      ]),
      await added("label", [
        write("MODIFIED", "a", 2, { metadata: { labels: mark, deletionTimestamp: "x" } }),
      ]),
      await added("label", [dropped], { answer: { deletionTimestamp: "x" } }),
      await added("label", [dropped], { isOk: false }),
    ],
    [
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
        "lost entry: p drops the finalizer that another client has added to things default/a, with its write of version 3",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"labels":{"another-client.example.com/was-here":"yes"}}}',
        "true",
        "lost entry: p drops the label that another client has added to things default/a, with its write of version 3",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"annotations":{"another-client.example.com/was-here":"yes"}}}',
        "true",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"annotations":{"another-client.example.com/was-here":"yes"}}}',
        "true",
        "note: p drops the annotation that another client has added to things default/a, with its write of version 2",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["f","another-client.example.com/was-here"]}}',
        "true",
        "lost entry: p drops the finalizer that another client has added to things default/a, with its write of version 2",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
        "lost entry: p drops the finalizer that another client has added to things default/a, with its write of version 2",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"labels":{"another-client.example.com/was-here":"yes"}}}',
        "true",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
        'PATCH http://cluster/api/v1/namespaces/default/things/a {"metadata":{"finalizers":["f"]}}',
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"finalizers":["another-client.example.com/was-here"]}}',
        "true",
        "lost entry: p drops the finalizer that another client has added to things default/a, with its write of version 3",
      ],
      [
        "GET http://x/things/a",
        'PATCH http://x/things/a {"metadata":{"labels":{"another-client.example.com/was-here":"yes"}}}',
        "true",
      ],
      ["GET http://x/things/a", "false"],
      ["GET http://x/things/a", "false"],
    ],
  );
});

Deno.test("urlOf() knows the core group, other groups, and objects without a namespace", () => {
  const of = (resource: string, namespace: string, apiVersion?: string) =>
    urlOf({
      ...write("ADDED", "a", 1),
      resource,
      namespace,
      object: () => ({ apiVersion }) as never,
    });
  assertEquals(
    [of("pods", "n"), of("nodes", "", "v1"), of("jobs.batch", "n", "batch/v1")],
    [
      "http://cluster/api/v1/namespaces/n/pods/a",
      "http://cluster/api/v1/nodes/a",
      "http://cluster/apis/batch/v1/namespaces/n/jobs/a",
    ],
  );
});
