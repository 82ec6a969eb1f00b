/** Which faults are tried, and in which order. */

import { assertEquals } from "@std/assert";
import {
  deriveClasses,
  type FaultClass,
  pairPlans,
  type Plan,
  type PlanFault,
  plansToRecoverFrom,
  type Points,
  pointsOf,
  recoveryPlans,
  singlePlans,
  type Step,
} from "../../../src/testing/simulation/plans/mod.ts";
import { ToldRun } from "./told_run.ts";

const LEASES = "leases.coordination.k8s.io";

/** A run with a write, a call and an event in each of two steps, and some that are of no use for faults. */
function told(): ToldRun {
  const run = new ToldRun();
  run.process("op");
  run.step(0, "create things t");
  const one = run.commit("user", "creates", "things t");
  run.list("op", "maps");
  run.see("op", one, one);
  run.write("op", "creates", "maps m");
  run.call("op", "make(a) #1");
  run.commit("user", "creates", "unwatched u");
  run.see("op", run.commit("user", "creates", "events e"));
  run.step(3, "patch things t");
  run.see("other", one);
  const two = run.commit("user", "changes", "things t");
  run.see("op", { ...two, object: () => ({ metadata: { name: "t" } }) } as typeof two);
  run.write("op", "changes", "maps m");
  const sent = run.send("op", `update ${LEASES} l`);
  run.answer(sent, 200);
  // The server ends what a user has created; that is a wish too.
  run.commit("", "deletes", "things t");
  run.commit("", "deletes", "maps m");
  return run;
}

Deno.test("pointsOf() finds what processes write, call, see and watch, with the step of each", () => {
  const points = pointsOf(told().record(), ["op", "other"]);
  assertEquals(
    {
      writes: points.writes.map(({ step, write }) => `${step} ${write.id}`),
      calls: points.calls.map(({ id, step }) => `${step} ${id}`),
      events: points.events.map(({ event, process }) => `${process}: ${event}`),
      watched: [...points.watched],
      versions: points.versions.map(({ id, isWish, step }) => `${step} ${id} ${isWish}`),
    },
    {
      "writes": [
        "0 op create maps default/m #1",
        "3 op patch maps default/m #1",
        "3 op update leases.coordination.k8s.io default/l #1",
      ],
      "calls": ["0 op calls make(a) #1"],
      "events": ["op: ADDED things default/t #1", "other: ADDED things default/t #1"],
      "watched": ["op maps", "op things", "other things"],
      "versions": [
        "0 ADDED things default/t #1 true",
        "0 ADDED maps default/m #1 false",
        "3 MODIFIED things default/t #1 true",
        "3 MODIFIED maps default/m #1 false",
        "3 DELETED things default/t #1 true",
        "3 DELETED maps default/m #1 false",
      ],
    },
  );
});

const step = (kind: Step<never>["kind"], rest: Partial<Step<never>> = {}) =>
  ({ kind, text: "patch things t", ...rest }) as Step<never>;

/** Returns the plans of each class, in short. */
function shown(classes: readonly FaultClass[]): string[] {
  const text = (fault: PlanFault) => Object.values(fault).join(" ");
  return classes.map((group) => group.map((faults) => faults.map(text).join(" & ")).join("; "));
}

function derived(steps: readonly Step<never>[], rest: Partial<Points> = {}): string[] {
  return shown(deriveClasses({ ...pointsOf(told().record(), ["op"]), ...rest }, steps, new Set()));
}

Deno.test("deriveClasses() puts each kind of fault at each place where it makes a difference", () => {
  const steps = [
    step("write", { text: "create things t" }),
    step("settle"),
    step("write", { isBad: true }),
    step("write"),
    step("settle"),
    step("act"),
  ];
  assertEquals(derived(steps), [
    "crash before op create maps default/m #1; crash after op create maps default/m #1; crash before op patch maps default/m #1; crash after op patch maps default/m #1; crash before op calls make(a) #1; crash after op calls make(a) #1",
    "lose op create maps default/m #1; lose op patch maps default/m #1; lose op calls make(a) #1",
    "hold op kind ADDED things default/t #1 30000; hold op kind ADDED things default/t #1 400000; hold op watch ADDED things default/t #1 5000; hold other kind ADDED things default/t #1 30000; hold other kind ADDED things default/t #1 400000; hold other watch ADDED things default/t #1 5000",
    "coalesce op ADDED things default/t #1; coalesce other ADDED things default/t #1",
    "stale op 5 ADDED things default/t #1 30000; stale op 5 MODIFIED things default/t #1 30000; stale op 5 DELETED things default/t #1 30000; stale op 5 ADDED maps default/m #1 30000; stale op 5 MODIFIED maps default/m #1 30000; stale op 5 DELETED maps default/m #1 30000; stale op 4 ADDED things default/t #1 30000; stale op 4 MODIFIED things default/t #1 30000; stale op 4 DELETED things default/t #1 30000; stale op 4 ADDED maps default/m #1 30000; stale op 4 MODIFIED maps default/m #1 30000; stale op 4 DELETED maps default/m #1 30000; stale op 1 ADDED things default/t #1 30000; stale op 1 ADDED maps default/m #1 30000",
    "revert 0 settled; revert 0 op create maps default/m #1; revert 0 op calls make(a) #1; revert 3 settled; revert 3 op patch maps default/m #1",
    "repeat 0 true; repeat 0 false; repeat 3 true; repeat 3 false",
    "answer 429 op create maps default/m #1; answer 500 op create maps default/m #1; answer 504 op create maps default/m #1; answer 409 op patch maps default/m #1; answer 429 op patch maps default/m #1; answer 500 op patch maps default/m #1; answer 504 op patch maps default/m #1; answer 500 op calls make(a) #1",
    "read 500 3 op list maps #1; read 403 op list maps #1; read 504 op list maps #1",
    "answer 500 3 op create maps default/m #1; answer 403 6 op create maps default/m #1; answer 500 3 op patch maps default/m #1",
    "stop op create maps default/m #1 30000; stop op patch maps default/m #1 30000",
    "outage partition op create maps default/m #1 60000; outage slow op create maps default/m #1 60000; outage unauthorized op create maps default/m #1 60000; outage webhook op create maps default/m #1 60000; outage partition op patch maps default/m #1 60000; outage slow op patch maps default/m #1 60000; outage unauthorized op patch maps default/m #1 60000; outage webhook op patch maps default/m #1 60000",
    "edit finalizer op patch maps default/m #1; edit annotation op patch maps default/m #1; edit label op patch maps default/m #1",
    "restart op 1; restart op 4; restart op 5",
    "bad 2",
    "skip 1",
    "pause op update leases.coordination.k8s.io default/l #1 22500; pause op create maps default/m #1 22500; pause op patch maps default/m #1 22500; answer 500 op update leases.coordination.k8s.io default/l #1 12",
    "server restart op create maps default/m #1; server compact op create maps default/m #1; server restart op patch maps default/m #1; server compact op patch maps default/m #1; server restart op calls make(a) #1; server compact op calls make(a) #1",
  ]);
});

Deno.test("deriveClasses() has no class without plans", () => {
  const nothing = {
    writes: [],
    reads: [],
    calls: [],
    events: [],
    versions: [],
    watched: new Set<string>(),
  };
  assertEquals([derived([], nothing), derived([step("settle")], nothing), derived([])], [[], [
    "restart op 0",
  ], [
    "crash before op create maps default/m #1; crash after op create maps default/m #1; crash before op patch maps default/m #1; crash after op patch maps default/m #1; crash before op calls make(a) #1; crash after op calls make(a) #1",
    "lose op create maps default/m #1; lose op patch maps default/m #1; lose op calls make(a) #1",
    "hold op kind ADDED things default/t #1 30000; hold op kind ADDED things default/t #1 400000; hold op watch ADDED things default/t #1 5000; hold other kind ADDED things default/t #1 30000; hold other kind ADDED things default/t #1 400000; hold other watch ADDED things default/t #1 5000",
    "coalesce op ADDED things default/t #1; coalesce other ADDED things default/t #1",
    "answer 429 op create maps default/m #1; answer 500 op create maps default/m #1; answer 504 op create maps default/m #1; answer 409 op patch maps default/m #1; answer 429 op patch maps default/m #1; answer 500 op patch maps default/m #1; answer 504 op patch maps default/m #1; answer 500 op calls make(a) #1",
    "read 500 3 op list maps #1; read 403 op list maps #1; read 504 op list maps #1",
    "answer 500 3 op create maps default/m #1; answer 403 6 op create maps default/m #1; answer 500 3 op patch maps default/m #1",
    "stop op create maps default/m #1 30000; stop op patch maps default/m #1 30000",
    "outage partition op create maps default/m #1 60000; outage slow op create maps default/m #1 60000; outage unauthorized op create maps default/m #1 60000; outage webhook op create maps default/m #1 60000; outage partition op patch maps default/m #1 60000; outage slow op patch maps default/m #1 60000; outage unauthorized op patch maps default/m #1 60000; outage webhook op patch maps default/m #1 60000",
    "edit finalizer op patch maps default/m #1; edit annotation op patch maps default/m #1; edit label op patch maps default/m #1",
    "pause op update leases.coordination.k8s.io default/l #1 22500; pause op create maps default/m #1 22500; pause op patch maps default/m #1 22500; answer 500 op update leases.coordination.k8s.io default/l #1 12",
    "server restart op create maps default/m #1; server compact op create maps default/m #1; server restart op patch maps default/m #1; server compact op patch maps default/m #1; server restart op calls make(a) #1; server compact op calls make(a) #1",
  ]]);
});

Deno.test("deriveClasses() gives an object time to go if its process cannot notice that its dependents go", () => {
  const writes = pointsOf(told().record(), []).writes.filter(({ write }) =>
    write.resource === "maps"
  );
  const repeats = (text: string, { verb, watched }: { verb?: string; watched?: string } = {}) => {
    const sent = writes.map(({ step, write }) => ({
      step,
      write: { ...write, verb: verb ?? write.verb },
    }));
    const rest = { calls: [], events: [], versions: [], writes: sent };
    const classes = derived([step("write", { text })], {
      ...rest,
      watched: new Set([watched ?? ""]),
    });
    return classes.filter((plans) => plans.startsWith("repeat"));
  };
  assertEquals(
    [
      repeats("create things t"),
      repeats("delete things t", { verb: "patch" }),
      repeats("patch things t"),
      repeats("create things t", { verb: "update" }),
      repeats("create things t", { watched: "op maps" }),
      repeats("create things t", { watched: "op others" }),
    ],
    [
      ["repeat 0 true"],
      ["repeat 0 true"],
      ["repeat 0 true; repeat 0 false"],
      ["repeat 0 true; repeat 0 false"],
      ["repeat 0 true; repeat 0 false"],
      ["repeat 0 true"],
    ],
  );
});

Deno.test("deriveClasses() pauses a process for longer than its Lease, at the first renewals and at other writes", () => {
  const pauses = (count: number, ...bodies: string[]) => {
    const run = new ToldRun();
    run.send("op", "create maps m");
    run.send("op", "create events e");
    for (let i = 0; i < count; i++) run.send("op", `update ${LEASES} l${i}`);
    for (const body of bodies) run.send("op", `patch ${LEASES} l`, { body });
    return derived([], { ...pointsOf(run.record(), []) }).filter((one) => one.startsWith("pause"))
      .map((plans) => plans.split("; ")).flatMap((
        plans,
      ) => [
        plans.length,
        plans[0],
        plans.find((one) => one.includes("maps")),
        plans.at(-1),
      ]);
  };
  assertEquals(
    [pauses(0), pauses(1), pauses(21), pauses(0, '{"leaseDurationSeconds":7}')],
    [[], [
      3,
      "pause op update leases.coordination.k8s.io default/l0 #1 22500",
      "pause op create maps default/m #1 22500",
      "answer 500 op update leases.coordination.k8s.io default/l0 #1 12",
    ], [
      41,
      "pause op update leases.coordination.k8s.io default/l0 #1 22500",
      "pause op create maps default/m #1 22500",
      "answer 500 op update leases.coordination.k8s.io default/l19 #1 12",
    ], [
      3,
      "pause op patch leases.coordination.k8s.io default/l #1 10500",
      "pause op create maps default/m #1 10500",
      "answer 500 op patch leases.coordination.k8s.io default/l #1 12",
    ]],
  );
  assertEquals(
    pauses(0, '{"leaseDurationSeconds":7}', '{"leaseDurationSeconds":30}')[1],
    "pause op patch leases.coordination.k8s.io default/l #1 45000",
  );
});

Deno.test("deriveClasses() loses an answer and holds what it was about, also of objects without a namespace", () => {
  const lost = (namespace: string, process = "op") => {
    const run = new ToldRun();
    const sent = run.send("op", "create things n", { namespace });
    const id = `ADDED things ${namespace === "" ? "" : `${namespace}/`}n #1`;
    run.answer(sent, 200);
    const points = pointsOf(run.record(), []);
    const events = [{ process: "op", event: "ADDED things n2 #1" }, { process, event: id }];
    return shown(deriveClasses({ ...points, events }, [], new Set())).filter((one) =>
      one.includes("&")
    );
  };
  assertEquals([lost("default"), lost(""), lost("", "other")], [
    ["lose op create things default/n #1 & hold kind 30000 op ADDED things default/n #1"],
    ["lose op create things /n #1 & hold kind 30000 op ADDED things n #1"],
    [],
  ]);
});

function short({ faults, seed }: Plan): string {
  return `${seed} ${faults.map(({ fault }) => fault).join("+")}`;
}

Deno.test("plans take one of each class in turn, then orders, then pairs", () => {
  const late: PlanFault = { fault: "late" };
  const restart: PlanFault = { fault: "restart", process: "op", step: 1 };
  const bad: PlanFault = { fault: "bad", step: 1 };
  const revert: PlanFault = { fault: "revert", step: 1, when: "settled" };
  const repeat: PlanFault = { fault: "repeat", step: 1, settled: true };
  const stale: PlanFault = { fault: "stale", process: "op", step: 1, at: "a", forMs: 1 };
  const server: PlanFault = { fault: "server", how: "restart", write: "w" };
  const plans = (classes: readonly FaultClass[], extra: readonly PlanFault[] = []) =>
    [...singlePlans(classes, 7, extra), ...pairPlans(classes, 7)].map(short);
  const two = plans([[[late], [bad], [late]], [[restart]]], [late]);
  assertEquals([two.slice(0, 12), two.slice(58)], [[
    "7 late",
    "7 late",
    "7 restart",
    "7 shuffle+restart",
    "7 late",
    "8 order",
    "7 bad",
    "8 shuffle+restart",
    "8 late",
    "9 order",
    "7 late",
    "9 shuffle+restart",
  ], [
    "25 order",
    "25 shuffle+restart",
    "25 late",
    "26 order",
    "26 shuffle+restart",
    "26 late",
    "27 order",
    "7 restart+late",
    "8 late+restart",
    "7 restart+bad",
    "10 bad+restart",
    "7 bad+late",
    "7 late+bad",
  ]]);
  assertEquals(plans([[[late]]]).length, 61);
  // Two faults of one kind meet too, and no fault meets itself.
  assertEquals(plans([[[bad], [restart]]]).slice(62), ["7 bad+restart", "8 restart+bad"]);
  const pairs = plans([[[bad]], [[revert]], [[repeat]], [[stale]], [[server]]]).slice(65);
  assertEquals([...new Set(pairs.map((pair) => pair.split(" ")[1]))].sort(), [
    "bad+repeat",
    "bad+server",
    "bad+stale",
    "repeat+bad",
    "repeat+server",
    "repeat+stale",
    "revert+server",
    "revert+stale",
    "server+bad",
    "server+repeat",
    "server+revert",
    "stale+bad",
    "stale+repeat",
    "stale+revert",
  ]);
});

Deno.test("deriveClasses() lingers what is deleted, lets definitions fail, and moves clocks of several processes", () => {
  const run = new ToldRun();
  run.send("op", "delete things a");
  run.send("op", "create things b");
  run.send("op", "patch widgets.example.com w");
  run.list("op", "widgets.example.com");
  run.list("another", "widgets.example.com");
  run.list("op", "deployments.apps");
  const points = pointsOf(run.record(), ["one", "two"]);
  const definitions = new Set(["widgets.example.com", "others.example.com"]);
  const classes = shown(deriveClasses(points, [], definitions));
  assertEquals(classes.filter((one) => /^(linger|definition|skew)/.test(one)), [
    "linger op delete things default/a #1 120000",
    "definition widgets.example.com 45000 unserved; definition widgets.example.com 60000 unserved op delete things default/a #1; definition widgets.example.com 60000 unconverted op delete things default/a #1; definition widgets.example.com 60000 unserved op patch widgets.example.com default/w #1; definition widgets.example.com 60000 unconverted op patch widgets.example.com default/w #1",
    "skew one 60000; skew one -60000; skew two 60000; skew two -60000",
  ]);
});

Deno.test("recoveries get faults at what only they write", () => {
  const groups: readonly FaultClass[] = [
    [1, 2, 3, 4, 5, 6, 7].map((step) => [{ fault: "skip", step }]),
    [[{ fault: "late" }]],
  ];
  const plans = plansToRecoverFrom(groups, 7);
  assertEquals(plans.map(({ faults: [fault] }) => Object.values(fault!).join(" ")), [
    "skip 1",
    "skip 3",
    "skip 5",
    "late",
  ]);
  const names = ["a", "b", "c", "d", "e"];
  const recoveries = recoveryPlans(plans[0]!, names);
  assertEquals(recoveries.length, 12);
  assertEquals(recoveries.slice(0, 3).map(({ faults, seed }) => [seed, ...faults]), [
    [7, { fault: "skip", step: 1 }, { fault: "crash", when: "before", write: "a" }],
    [7, { fault: "skip", step: 1 }, { fault: "crash", when: "after", write: "a" }],
    [7, { fault: "skip", step: 1 }, { fault: "lose", write: "a" }],
  ]);
});
