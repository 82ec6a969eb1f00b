/** What is told of runs that nobody has made, word for word: `ToldRun` says what happened in them. */

import { assertEquals } from "@std/assert";
import {
  type Cause,
  causeOf,
  Chronicle,
  storyOf,
} from "../../../src/testing/simulation/report/mod.ts";
import type { PlanFault } from "../../../src/testing/simulation/plans/mod.ts";
import type { RunRecord } from "../../../src/testing/simulation/judge/mod.ts";
import type { Oracle } from "../../../src/testing/simulation/judge/mod.ts";
import { ToldRun } from "./told_run.ts";

/** Tells a run, and returns why it ended wrong. `expected` tells the run without faults. */
function why(
  oracle: Oracle,
  tell: (run: ToldRun) => void,
  { expected, expectedState, state, faults = [] }: {
    readonly expected?: (run: ToldRun) => void;
    readonly faults?: readonly PlanFault[];
    readonly state?: object;
    readonly expectedState?: object;
  } = {},
): Cause {
  const run = new ToldRun();
  tell(run);
  const wrong = run.wrong(oracle, "it is wrong");
  let without: RunRecord | undefined;
  if (expected !== undefined) {
    const reference = new ToldRun();
    expected(reference);
    without = reference.record({ state: expectedState ?? {} });
  }
  return causeOf({ record: run.record({ wrong: [wrong], faults, state }), expected: without });
}

/** Returns the sentences of a cause, then its marks and the objects that it is about. */
function told({ focus, marks, sentences, untilAt }: Cause): string[] {
  return [
    ...sentences,
    ...[...marks].map(([at, text]) => `${at}: ${text}`),
    `${untilAt}: ${[...focus].join(", ")}`,
  ];
}

const size = (size: number) => ({ spec: { size } });

/** A process that makes a map, and deletes it on the knowledge of a replica after a restart. */
function onStale(isStale: boolean): (run: ToldRun) => void {
  return (run) => {
    run.process("op");
    run.step(0, "create things t");
    const one = run.commit("user", "creates", "things t", size(1));
    run.see("op", one);
    run.write("op", "creates", "maps t-0", { data: "a" });
    run.at(30).step(1, "patch things t");
    const three = run.commit("user", "changes", "things t", size(3));
    if (!isStale) return run.see("op", three);
    run.at(31).process("op", "is killed");
    run.fault("op is killed");
    run.at(32).process("op", "starts again");
    run.list("op", "things", one);
    run.log("op", "retry 1\nhere");
    run.at(40).write("op", "deletes", "maps t-0");
    run.at(41.5);
  };
}

Deno.test("a story says what a process knew, what was true, and which write was wrong", () => {
  const cause = why("stale delete", onStale(true), { expected: onStale(false) });
  assertEquals(told(cause), [
    "The wrong write, at 40 s: op (life 2) deletes maps default/t-0: version 4. The run without faults does not make it.",
    "op (life 2) acted on things default/t version 1 (spec.size: 1), while version 3 (spec.size: 3) was true since 30 s.",
    "15: the wrong write",
    "17: maps default/t-0, things default/t",
  ]);
  assertEquals(storyOf(cause), [
    "    0.000 s op starts",
    "    0.000 s # step 1: create things t",
    "    0.000 s user creates things default/t (spec.size: 1) → version 1",
    '    0.000 s op creates maps default/t-0 (data: "a") → version 2',
    "   30.000 s # step 2: patch things t",
    "   30.000 s user changes things default/t (spec.size: 1 → 3) → version 3",
    "   31.000 s op is killed",
    "   31.000 s ! op is killed",
    "   32.000 s op starts again: life 2",
    "   32.000 s op (life 2) reads things default/t version 1 (spec.size: 1): while version 3 is the newest",
    "   32.000 s op (life 2) logs: retry 1 here",
    "   40.000 s op (life 2) deletes maps default/t-0 → version 4   <== the wrong write",
    "              op (life 2) acted on things default/t version 1 (spec.size: 1), while version 3 (spec.size: 3) was true since 30 s",
    "   41.500 s X it is wrong",
  ]);
});

Deno.test("a story says at which write a process was killed, and what it had done before", () => {
  const killed = (when: "before" | "after", body: unknown, tell = (_: ToldRun) => {}) => {
    const fault: PlanFault = { fault: "crash", when, write: "op patch things default/t #1" };
    const cause = why("process", (run) => {
      run.process("op");
      tell(run);
      run.at(2).write("other", "creates", "maps o");
      const sent = run.send("op", "patch things t", { body });
      run.answer(sent, 200);
      run.at(3).write("op", "creates", "maps later");
    }, { faults: [fault, { fault: "late" }] });
    return cause.sentences[0];
  };
  const before = (run: ToldRun) => {
    run.write("op", "creates", "maps a");
    run.send("op", "create maps b");
  };
  assertEquals(
    [
      killed("before", { spec: { size: 1 } }),
      killed("before", "not JSON", before),
      killed("before", undefined, (run) => run.call("op", "make(a) #1")),
      killed("before", undefined, (run) => {
        run.write("op", "creates", "maps a");
        run.process("op", "starts again");
      }),
      killed("after", undefined, before),
    ],
    [
      'op was killed at 2 s, before it sent [patch things default/t #1], which says {"spec":{"size":1}}.',
      'op was killed at 2 s, after [create maps default/a #1], before it sent [patch things default/t #1], which says "not JSON".',
      "op was killed at 2 s, after [calls make(a) #1], before it sent [patch things default/t #1].",
      "op (life 2) was killed at 2 s, before it sent [patch things default/t #1].",
      "op was killed at 2 s, after [patch things default/t #1] was done and before it knew.",
    ],
  );
});

Deno.test("a story says which versions a process never saw, up to three", () => {
  const cause = why("process", (run) => {
    const seen = (name: string, by: string) => {
      const one = run.commit("user", "creates", `things ${name}`, size(1));
      run.see("op", one);
      run.at(run.atMs / 1000 + 1);
      run.commit(by, "changes", `things ${name}`, size(2));
      const three = run.commit(by, "changes", `things ${name}`, size(3));
      run.see("op", one, three);
    };
    seen("a", "op");
    for (const name of ["b", "c", "d", "e"]) seen(name, "user");
  });
  assertEquals(told(cause), [
    "op never saw version 5 of things default/b: user changes things default/b (spec.size: 1 → 2), at 2 s.",
    "op never saw version 8 of things default/c: user changes things default/c (spec.size: 1 → 2), at 3 s.",
    "op never saw version 11 of things default/d: user changes things default/d (spec.size: 1 → 2), at 4 s.",
    "It showed when user changes things default/e (spec.size: 2 → 3) (version 15).",
    "23: here it showed",
    "25: things default/b, things default/c, things default/d, things default/e",
  ]);
  assertEquals(
    storyOf(cause).at(-2),
    "    5.000 s op sees things default/e version 15 (spec.size: 2 → 3): never sees version 14 (spec.size: 1 → 2)",
  );
});

Deno.test("a story shows where a rule was broken: by the last write, or by what the cluster did after it", () => {
  const broken = (tell: (run: ToldRun) => void) => told(why("invariant", tell));
  assertEquals(
    [
      broken((run) => {
        run.write("op", "creates", "maps a");
        run.send("op", "create maps b");
      }),
      broken((run) => {
        run.write("op", "creates", "maps a");
        run.at(1).commit("", "changes", "maps a", { data: "x" });
      }),
      broken((run) => {
        run.commit("user", "creates", "maps a");
        run.at(1).call("op", "make(a) #1");
      }),
      broken((run) => {
        run.at(1).commit("user", "creates", "maps a");
      }),
    ],
    [[
      "The wrong write, at 0 s: op creates maps default/a: version 1.",
      "op knew the newest version of every object that it watches at 0 s.",
      "1: the wrong write",
      "4: maps default/a",
    ], [
      'It showed when the cluster changes maps default/a (adds data: "x") (version 2).',
      "The wrong write, at 0 s: op creates maps default/a: version 1.",
      "op knew the newest version of every object that it watches at 0 s.",
      "3: here it showed",
      "1: the wrong write",
      "4: maps default/a",
    ], [
      "The wrong call, at 1 s: op: [calls make(a) #1].",
      "op knew the newest version of every object that it watches at 1 s.",
      "1: the wrong call",
      "2: ",
    ], [
      "It showed when user creates maps default/a (version 1).",
      "0: here it showed",
      "1: maps default/a",
    ]],
  );
});

Deno.test("a story shows the write that dropped what somebody else had added", () => {
  const somebody = { finalizers: ["another-client.example.com/was-here"] };
  const cause = why("lost entry", (run) => {
    const one = run.commit("user", "creates", "things t", size(1));
    run.see("op", one);
    const sent = run.send("op", "patch things t");
    run.commit("somebody", "changes", "things t", size(1), { metadata: somebody });
    run.commit("somebody", "changes", "things t", size(1), { metadata: somebody });
    const two = run.commit("op", "changes", "things t", size(2));
    run.answer(sent, 200, two);
    run.at(5).commit("user", "deletes", "things t");
  });
  assertEquals(told(cause), [
    'The wrong write, at 0 s: op changes things default/t (spec.size: 1 → 2, drops metadata.finalizers: ["another-client.example.com/was-here"]): version 4.',
    'op acted on things default/t version 1 (no metadata.finalizers), while version 3 (metadata.finalizers: ["another-client.example.com/was-here"]) was true since 0 s.',
    "5: the wrong write",
    "5: things default/t",
  ]);
  assertEquals(storyOf(cause), [
    "    0.000 s user creates things default/t (spec.size: 1) → version 1",
    '    0.000 s somebody changes things default/t (adds metadata.finalizers: ["another-client.example.com/was-here"]) → version 2',
    "    0.000 s somebody changes things default/t (no change but of its version) → version 3",
    '    0.000 s op changes things default/t (spec.size: 1 → 2, drops metadata.finalizers: ["another-client.example.com/was-here"]) → version 4   <== the wrong write',
    '              op acted on things default/t version 1 (no metadata.finalizers), while version 3 (metadata.finalizers: ["another-client.example.com/was-here"]) was true since 0 s',
    "    5.000 s X it is wrong",
  ]);
  assertEquals(told(why("lost entry", () => {})), ["0: "]);
});

Deno.test("a story shows the last write that was refused, or else the last write", () => {
  const refused = (status: number) => {
    const cause = why("liveness", (run) => {
      run.process("op");
      run.list("op", "things", run.commit("user", "creates", "things t", size(1)));
      run.answer(run.send("op", "create things t"), status);
      run.at(1).write("op", "creates", "maps a");
    });
    return [...told(cause), ...storyOf(cause)];
  };
  assertEquals([refused(399), refused(400)], [[
    "The wrong write, at 1 s: op creates maps default/a: version 2.",
    "op knew the newest version of every object that it watches at 1 s.",
    "6: the wrong write",
    "8: maps default/a",
    "    0.000 s op starts",
    "    0.000 s user creates things default/t (spec.size: 1) → version 1",
    "    1.000 s op creates maps default/a → version 2   <== the wrong write",
    "    1.000 s X it is wrong",
  ], [
    "The last write that was refused, at 0 s: op: [create things default/t #1], with 400.",
    "op knew the newest version of every object that it watches at 0 s.",
    "3: the last write that was refused",
    "8: things default/t",
    "    0.000 s op starts",
    "    0.000 s user creates things default/t (spec.size: 1) → version 1",
    "    0.000 s op: create things default/t #1 is answered with 400   <== the last write that was refused",
    "    1.000 s op creates maps default/a → version 2",
    "    1.000 s X it is wrong",
  ]]);
});

Deno.test("a story names up to three objects that a process knew wrong, and first those that concern its write", () => {
  const knew = (count: number) =>
    why("invariant", (run) => {
      run.process("op");
      run.see("op", run.commit("user", "creates", "things.example.com a", size(1)));
      for (let i = 0; i < count; i++) run.commit("user", "creates", `things.example.com b${i}`);
      run.list("op", "maps");
      run.commit("user", "creates", "maps y");
      run.commit("user", "creates", "things.example.com owner");
      run.see("op", run.commit("user", "creates", "maps z"));
      run.commit("user", "changes", "maps z", { data: "x" });
      run.commit("user", "creates", "events e");
      run.at(1);
      const metadata = { ownerReferences: [{ name: "owner" }] };
      run.write("op", "changes", "maps z", { data: "z" }, { metadata });
    }).sentences;
  assertEquals([knew(0), knew(1).at(-1), knew(30).at(-1)], [
    [
      'The wrong write, at 1 s: op changes maps default/z (data: "x" → "z", adds metadata.ownerReferences: [{"name":"owner"}]): version 7.',
      'op acted on maps default/z version 4 (no data), while version 5 (data: "x") was true since 0 s.',
      "op had not seen things default/owner, which was there since 0 s in version 3.",
      "op had not seen maps default/y, which was there since 0 s in version 2.",
    ],
    "1 more object was not as op knew it.",
    "17 more objects were not as op knew them.",
  ]);
});

Deno.test("a process that knows everything may have lost what was in its memory", () => {
  const knew = (lives: number) =>
    why("invariant", (run) => {
      for (let i = 0; i < lives; i++) run.process("op", i === 0 ? "starts" : "starts again");
      run.at(9).write("op", "creates", "maps a");
    }).sentences;
  assertEquals([1, 2, 3].map((lives) => knew(lives).at(-1)), [
    "op knew the newest version of every object that it watches at 9 s.",
    "op (life 2) knew the newest version of every object that it watches at 9 s; what its earlier life had in memory alone was lost.",
    "op (life 3) knew the newest version of every object that it watches at 9 s; what its earlier lives had in memory alone was lost.",
  ]);
});

Deno.test("a process does not know wrong what it has not asked for, what is gone, and what it has just written", () => {
  const stale = (tell: (run: ToldRun) => void, process = "op") => {
    const run = new ToldRun();
    run.process("op");
    tell(run);
    return new Chronicle(run.record()).staleAtEnd(process).map(({ knew, newest, object }) =>
      `${object}: ${knew?.number} ${newest.number}`
    );
  };
  const made = (run: ToldRun, namespace = "default") =>
    run.commit("user", "creates", `things ${namespace[0]}`, {}, { namespace });
  const cases: [string[], (run: ToldRun) => void][] = [
    [[], (run) => made(run)],
    [["things default/d: undefined 1"], (run) => {
      made(run);
      run.list("op", "things");
    }],
    [[], (run) => run.see("op", made(run))],
    [["things default/d: 1 2"], (run) => {
      run.see("op", made(run));
      run.commit("user", "changes", "things d");
    }],
    [["things default/d: 1 2"], (run) => {
      run.see("op", made(run));
      run.commit("user", "deletes", "things d");
    }],
    // What was made and deleted again, unseen; and a deletion that another one has followed.
    [[], (run) => {
      run.list("op", "things");
      made(run);
      run.commit("user", "deletes", "things d");
    }],
    [[], (run) => {
      made(run);
      run.see("op", run.commit("user", "deletes", "things d"));
      made(run);
      run.commit("user", "deletes", "things d");
    }],
    // A process that has only seen one namespace does not ask for another one, until it starts again.
    [["things default/e: undefined 3"], (run) => {
      run.see("op", made(run));
      made(run, "other");
      run.commit("user", "creates", "things e");
    }],
    [["things other/o: undefined 1", "things default/d: undefined 2"], (run) => {
      made(run, "other");
      run.see("op", made(run));
      run.process("op", "starts again");
      run.list("op", "things");
    }],
    [[], (run) => {
      run.see("op", made(run));
      run.commit("user", "changes", "things d");
      run.process("op", "starts again");
    }],
    [["things default/d: 1 2"], (run) => {
      run.see("op", made(run));
      run.process("other", "starts again");
      run.process("op", "is killed");
      run.commit("user", "changes", "things d");
    }],
  ];
  for (const [expected, tell] of cases) assertEquals(stale(tell), expected);
  // What it has written at the same time is on its way; a moment later, it is not.
  const written = (seconds: number, by = "op") => {
    const run = new ToldRun();
    run.list("op", "things");
    run.commit(by, "creates", "things t");
    run.at(seconds).call("op", "make(a) #1");
    return new Chronicle(run.record()).acts[0]!.stale.length;
  };
  assertEquals([written(0), written(1), written(0, "user")], [0, 1, 1]);
});

Deno.test("a write leads to the version that its answer names, or else to the last one of its object", () => {
  const led = (tell: (run: ToldRun) => void) => {
    const run = new ToldRun();
    tell(run);
    const { acts } = new Chronicle(run.record());
    return acts.map(({ stale, version }) =>
      `${version?.by} ${version?.number} ${stale.map(({ newest }) => newest.number)}`
    );
  };
  const deletes = (by: string, what: string, before = (_: ToldRun) => {}) =>
    led((run) => {
      run.commit("user", "creates", "things t");
      run.commit("user", "creates", "things u");
      run.commit("user", "creates", "others t");
      run.commit("user", "creates", "things t", {}, { namespace: "n" });
      before(run);
      const sent = run.send("op", `delete ${what}`);
      run.commit(by, "deletes", "things t");
      run.answer(sent, 200);
    });
  const changes = (status: number, isOld = false) =>
    led((run) => {
      const one = run.commit("user", "creates", "things t");
      const sent = run.send("op", "patch things t");
      run.commit("user", "changes", "things t");
      const three = run.commit("op", "changes", "things t");
      run.answer(sent, status, isOld ? one : three);
      run.answer(run.send("op", "patch things t"), status, three);
    });
  assertEquals(
    [
      deletes("op", "things t"),
      deletes("", "things t"),
      deletes("user", "things t"),
      deletes("op", "things u"),
      deletes("op", "others t"),
      changes(200),
      changes(299),
      changes(300),
      changes(200, true),
      led((run) => {
        run.list("op", "things");
        run.commit("user", "creates", "things t");
        run.commit("user", "creates", "things u");
        const sent = run.at(1).send("op", "patch things t");
        run.commit("user", "changes", "things t");
        run.answer(sent, 200, run.commit("op", "changes", "things t"));
      }),
    ],
    [
      ["op 5 "],
      ["op 5 "],
      ["undefined undefined "],
      ["undefined undefined "],
      ["undefined undefined "],
      ["op 3 2", "undefined undefined "],
      ["op 3 2", "undefined undefined "],
      ["undefined undefined ", "undefined undefined "],
      ["undefined undefined ", "undefined undefined "],
      ["op 4 3,2"],
    ],
  );
});

Deno.test("a story tells what comes late, and what was newer then", () => {
  const cause = why("process", (run) => {
    const seen = (name: string, by: string, lateBy: number) => {
      const one = run.commit("user", "creates", `things ${name}`, size(1));
      run.see("op", one);
      const two = run.commit(by, "changes", `things ${name}`, size(2));
      run.commit(by, "changes", `things ${name}`, size(3));
      run.at(run.atMs / 1000 + lateBy).see("op", two, two);
      return run.commit("user", "deletes", `things ${name}`);
    };
    run.process("op");
    seen("a", "op", 0);
    seen("b", "user", 0);
    seen("c", "op", 1);
    run.at(5).see("op", seen("d", "user", 1));
    const event = run.commit("user", "creates", "events e");
    run.at(9).see("op", event);
    run.see("never started", event);
    // What was there before a process came is not late.
    run.process("op", "starts again");
    run.at(11).list("op", "events", event);
    run.see("op", run.commit("user", "creates", "things e"));
    const before = run.commit("user", "creates", "things f");
    run.at(12).process("op", "starts again");
    run.at(13).list("op", "things", before);
    run.at(14).see("op", run.commit("user", "deletes", "things f"));
    const bare = run.commit("user", "creates", "things g");
    run.at(14.001).see("op", bare);
    run.commit("user", "deletes", "things g");
    run.see("op", run.commit("user", "creates", "things g", size(1)));
    const first = run.commit("user", "creates", "nodes n", {}, { namespace: "" });
    run.see("never started", first);
    run.at(15).see(
      "never started",
      run.commit("user", "changes", "nodes n", {}, { namespace: "" }),
    );
    run.at(15.5).see("never started", first);
  });
  assertEquals(storyOf(cause).filter((line) => !/ user | starts/.test(line)), [
    "    0.000 s op changes things default/a (spec.size: 1 → 2) → version 2",
    "    0.000 s op changes things default/a (spec.size: 2 → 3) → version 3",
    "    0.000 s op sees things default/b version 6 (spec.size: 1 → 2): while version 7 is the newest",
    "    0.000 s op changes things default/c (spec.size: 1 → 2) → version 10",
    "    0.000 s op changes things default/c (spec.size: 2 → 3) → version 11",
    "    1.000 s op sees things default/c version 10 (spec.size: 1 → 2): 1 s late, while version 11 is the newest",
    "    6.000 s op sees things default/d version 14 (spec.size: 1 → 2): 1 s late, while version 15 is the newest",
    "    6.000 s op sees things default/d version 16 (its deletion): never sees version 15 (spec.size: 2 → 3)",
    "   14.001 s op (life 3) sees things default/g version 21: 0.001 s late",
    "   14.001 s op (life 3) sees things default/g version 23 (spec.size: 1): never sees version 22",
    "   15.500 s X it is wrong",
  ]);
});

Deno.test("a story tells of writes without an answer, refused writes, and calls", () => {
  const cause = why("process", (run) => {
    run.process("op");
    run.send("op", "patch things a", { injected: "the answer is lost" });
    const sent = run.send("op", "patch things b", { injected: "a fault" });
    run.answer(sent, 400);
    run.answer(run.send("op", "patch things c"), 399);
    run.send("op", "patch things d");
    run.call("op", "make(a) #1");
    run.write("op", "creates", "events e");
    const metadata = { generateName: "g-" };
    run.write("op", "creates", "maps g-1", {}, { metadata });
    run.at(1).write("op", "creates", "maps g-2", {}, { metadata });
    run.at(2).write("op", "creates", "maps g-3", {}, { metadata });
    run.at(2.5).process("op", "starts again");
  });
  assertEquals(storyOf(cause), [
    "    0.000 s op starts",
    "    0.000 s op: [op patch things default/a #1]: the answer is lost",
    "    0.000 s op: patch things default/b #1 is answered with 400   <== the last write that was refused",
    "    0.000 s op calls make(a) #1",
    "    0.000 s op creates maps default/g-1 → version 2",
    "             … the last line 2 times more, until 2 s",
    "    2.500 s op starts again: life 2",
    "    2.500 s X it is wrong",
  ]);
});

Deno.test("a story counts lines of a log, and says shortly what is logged when nothing is written any more", () => {
  const logged = (...after: string[]) => {
    const cause = why("process", (run) => {
      run.log("op", "try 1");
      run.log("op", "this server is too old for a replica");
      run.log("op", "try 2");
      run.log("op", "try 33");
      run.at(1).write("op", "creates", "maps a");
      after.forEach((text, i) => run.at(2 + i).log("op", text));
    });
    return storyOf(cause);
  };
  assertEquals(
    [
      logged(),
      logged("a", "b", "c"),
      logged("a 1", "b", "c", "a x", "d", "d", "dropped the watch"),
      logged("dropped the watch", "dropped the watch", "x".repeat(250)),
    ],
    [[
      "    0.000 s op logs: try 1 (2 times more)",
      "    1.000 s op creates maps default/a → version 1   <== the wrong write",
      "    1.000 s X it is wrong",
    ], [
      "    0.000 s op logs: try 1 (2 times more)",
      "    1.000 s op creates maps default/a → version 1   <== the wrong write",
      "    2.000 s op logs: a",
      "    3.000 s op logs: b",
      "    4.000 s op logs: c",
      "    4.000 s X it is wrong",
    ], [
      "    0.000 s op logs: try 1 (2 times more)",
      "    1.000 s op creates maps default/a → version 1   <== the wrong write",
      "    2.000 s op logs: a 1",
      "    3.000 s op logs: b",
      "    4.000 s op logs: c",
      "    5.000 s 4 more lines are logged, and nothing is written",
      "    8.000 s X it is wrong",
    ], [
      "    0.000 s op logs: try 1 (2 times more)",
      "    1.000 s op creates maps default/a → version 1   <== the wrong write",
      "    4.000 s op logs: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
      "    2.000 s 2 more lines are logged, and nothing is written",
      "    4.000 s X it is wrong",
    ]],
  );
});

Deno.test("a story without a moment at which it went wrong ends with what is wrong", () => {
  const run = new ToldRun();
  run.commit("user", "creates", "maps a");
  const first = { oracle: "process", message: "it \n fails", atMs: 5000 } as const;
  const wrong = [{ ...first, message: "later", atMs: 6000 }, first];
  const told = (wrong: typeof first[]) =>
    storyOf(causeOf({ record: run.record({ wrong }), expected: undefined }));
  assertEquals([told(wrong as typeof first[]), told([])], [[
    "    0.000 s user creates maps default/a → version 1",
    "    5.000 s X it fails",
  ], ["    0.000 s user creates maps default/a → version 1"]]);
});

Deno.test("a story has one line for writes at the same time that differ in their name", () => {
  const cause = why("process", (run) => {
    run.process("op");
    run.process("op", "starts again");
    for (let i = 0; i < 5; i++) run.write("op", "creates", `maps m-${i}`, { data: "x" });
    run.write("op", "creates", "maps n", { data: "y" });
    run.write("op", "creates", "maps o", { data: "y" });
    run.write("op", "creates", "maps p", {});
    run.at(1);
    for (let i = 0; i < 4; i++) run.write("op", "creates", `maps q-${i}`);
    // Two changes of one object are two lines.
    for (let i = 0; i < 2; i++) run.write("op", "changes", "maps p", { data: "z".repeat(i) });
    run.write("op", "deletes", "maps p");
    run.write("op", "deletes", "maps o");
    // What is cut has no name.
    for (const name of ["r", "s"]) run.write("op", "creates", `maps ${name.repeat(250)}`);
    run.write("op", "creates", "maps end");
  });
  assertEquals(storyOf(cause), [
    "    0.000 s op starts",
    "    0.000 s op starts again: life 2",
    '    0.000 s op (life 2) creates maps default/m-0, default/m-1, default/m-2, default/m-3 and 1 more (data: "x") → versions 1 to 5',
    '    0.000 s op (life 2) creates maps default/n, default/o (data: "y") → versions 6 to 7',
    "    0.000 s op (life 2) creates maps default/p → version 8",
    "    1.000 s op (life 2) creates maps default/q-0, default/q-1, default/q-2, default/q-3 → versions 9 to 12",
    '    1.000 s op (life 2) changes maps default/p (adds data: "") → version 13',
    '    1.000 s op (life 2) changes maps default/p (data: "" → "z") → version 14',
    "    1.000 s op (life 2) deletes maps default/p, default/o → versions 15 to 16",
    "    1.000 s op (life 2) creates maps default/rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr…",
    "    1.000 s op (life 2) creates maps default/ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss…",
    "    1.000 s op (life 2) creates maps default/end → version 19   <== the wrong write",
    "    1.000 s X it is wrong",
  ]);
});

Deno.test("a story shows once what comes again and again", () => {
  const cause = why("process", (run) => {
    run.write("op", "creates", "maps a", { data: 0 });
    for (let i = 1; i <= 3; i++) {
      run.at(i).write("op", "changes", "maps a", { data: i });
      run.call("op", "make(a) #1");
    }
    for (let i = 4; i <= 5; i++) run.at(i).call("op", "make(b) #1");
  });
  assertEquals(storyOf(cause), [
    "    0.000 s op creates maps default/a (data: 0) → version 1",
    "    1.000 s op changes maps default/a (data: 0 → 1) → version 2",
    "    1.000 s op calls make(a) #1",
    "             … the last 2 lines 2 times more, until 3 s",
    "    4.000 s op calls make(b) #1",
    "    5.000 s op calls make(b) #1   <== the wrong call",
    "    5.000 s X it is wrong",
  ]);
});

Deno.test("a story has at most 60 lines: it leaves out what matters least, and of that what came first", () => {
  type Tell = (run: ToldRun, name: string) => void;
  const kinds: readonly Tell[] = [
    (run, name) => run.fault(`fault ${name}`),
    (run, name) => run.step(0, name),
    (run) => run.process("op", "starts again"),
    (run, name) => run.commit("user", "changes", "maps focus", { data: name }),
    (run, name) => run.log("op", name),
    (run, name) => run.commit("user", "creates", `maps ${name}`),
    (run) => {
      run.atMs -= 1;
      const version = run.commit("user", "changes", "events seen");
      run.atMs += 1;
      run.see("op", version);
    },
  ];
  const letter = (n: number) => String.fromCharCode(97 + n % 26);
  const story = (first: Tell, others: Tell, count: number) => {
    const cause = why("invariant", (run) => {
      run.commit("user", "creates", "maps focus");
      run.commit("user", "creates", "events seen");
      for (let i = 0; i < 2; i++) first(run, `first ${letter(i)}`);
      for (let i = 0; i < count; i++) {
        others(run.at(i + 1), `${letter(Math.floor(i / 26))} ${letter(i)}`);
      }
      run.commit("user", "changes", "maps focus", { data: "end" });
    });
    return storyOf(cause);
  };
  const leftOut = (first: Tell, others: Tell) =>
    Number(/… (\d+)/.exec(story(first, others, 70)[0]!)?.[1] ?? 0);
  // Each kind of line before 70 of each other kind: how many lines are missing at the beginning.
  assertEquals(kinds.map((first) => kinds.map((others) => leftOut(first, others))), [
    [15, 1, 1, 1, 0, 0, 0],
    [15, 15, 15, 1, 0, 0, 0],
    [15, 15, 15, 1, 0, 0, 0],
    [15, 15, 15, 15, 0, 0, 0],
    [15, 15, 15, 15, 0, 0, 0],
    [14, 14, 14, 14, 0, 0, 0],
    [13, 13, 13, 13, 0, 0, 0],
  ]);
  const exact = (count: number) => story(kinds[5]!, kinds[1]!, count);
  assertEquals([exact(55).length, exact(56).length, exact(57).slice(0, 3)], [59, 60, [
    "    0.000 s user creates maps default/focus, default/first → versions 1 to 3",
    "             … 1 line left out",
    "    1.000 s # step 1: a a",
  ]]);
});

interface Ending {
  readonly run: (run: ToldRun) => void;
  readonly expected: (run: ToldRun) => void;
  readonly state?: object;
  readonly expectedState?: object;
  readonly faults?: readonly PlanFault[];
}

function ended({ run, ...rest }: Ending): string[] {
  return told(why("end state", run, rest));
}

Deno.test("a story of an end state says who has deleted what is missing, or that nobody made it", () => {
  const missing = { expectedState: { "maps default/a": { data: 1 } } };
  const make = (run: ToldRun) => {
    run.call("op", "ask() #1");
    run.write("op", "creates", "maps before");
    run.at(1).write("op", "creates", "maps a");
  };
  const never = (tell: (run: ToldRun) => void, expected = make) =>
    ended({
      ...missing,
      run: (run) => {
        run.process("op");
        tell(run);
      },
      expected,
    });
  assertEquals(
    [
      never(() => {}),
      never((run) => run.at(2).write("op", "creates", "maps before")),
      never((run) => {
        run.answer(run.send("op", "create maps a"), 500);
        run.send("op", "create maps b");
      }),
      never((run) => {
        run.send("op", "create maps a", { injected: "the answer is 500" });
      }),
      never((run) => {
        run.send("op", "create maps a");
      }),
      never((run) => {
        make(run);
        run.at(2).write("op", "deletes", "maps a");
        run.answer(run.send("op", "create maps a"), 409);
      }),
      never((run) => {
        make(run);
        run.at(2).commit("", "deletes", "maps a");
      }),
      never(make, () => {}),
    ],
    [[
      "maps default/a is missing: nobody ever created it.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, op never sent that write.",
      "1: maps default/a",
    ], [
      "maps default/a is missing: nobody ever created it.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, op never sent that write.",
      "Without the faults it follows on [create maps default/before #1]. Here, that is at 2 s.",
      "2: after this, a write is missing",
      "4: maps default/a, maps default/before",
    ], [
      "maps default/a is missing: nobody ever created it.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, the last try, [create maps default/a #1] at 0 s, was answered with 500.",
      "4: maps default/a",
    ], [
      "maps default/a is missing: nobody ever created it.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, the last try, [create maps default/a #1] at 0 s, the answer is 500.",
      "2: maps default/a",
    ], [
      "maps default/a is missing: nobody ever created it.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, the last try, [create maps default/a #1] at 0 s, got no answer.",
      "2: maps default/a",
    ], [
      "maps default/a is missing: nobody created it again after version 3.",
      "The wrong write, at 2 s: op deletes maps default/a: version 3.",
      "op knew the newest version of every object that it watches at 2 s.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, the last try, [create maps default/a #1] at 2 s, was answered with 409.",
      "Without the faults it follows on [create maps default/before #1]. Here, that is at 0 s.",
      "The wrong write, at 2 s: op deletes maps default/a: version 3. The run without faults does not make it.",
      "9: the wrong write",
      "3: after this, a write is missing",
      "13: maps default/a, maps default/before",
    ], [
      "maps default/a is missing: nobody created it again after version 3.",
      "It was deleted at 2 s by the cluster.",
      "Without the faults, op creates maps default/a at 1 s.",
      "Here, op never sent that write.",
      "Without the faults it follows on [create maps default/before #1]. Here, that is at 0 s.",
      "3: after this, a write is missing",
      "9: maps default/a, maps default/before",
    ], [
      "maps default/a is missing: nobody ever created it.",
      "The wrong call, at 0 s: op: [calls ask() #1]. The run without faults does not make it.",
      "op knew the newest version of every object that it watches at 0 s.",
      "1: the wrong call",
      "8: maps default/a",
    ]],
  );
});

Deno.test("a story of an end state says who has made what is there, and when it is deleted otherwise", () => {
  const tooMany = { state: { "maps default/a": { data: 1 } } };
  const make = (run: ToldRun) => {
    run.list("op", "things");
    run.commit("user", "creates", "things t");
    run.at(1).write("op", "creates", "maps a");
  };
  assertEquals(
    [
      ended({ ...tooMany, run: make, expected: () => {} }),
      ended({
        ...tooMany,
        run: make,
        expected: (run) => {
          make(run);
          run.at(3).write("op", "deletes", "maps a");
        },
      }),
      ended({ ...tooMany, run: make, expected: make }),
      ended({
        ...tooMany,
        run: (run) => void run.commit("user", "creates", "maps a"),
        expected: () => {},
      }),
      ended({ ...tooMany, run: () => {}, expected: () => {} }),
    ],
    [[
      "maps default/a is there: op created it at 1 s.",
      "op had not seen things default/t, which was there since 0 s in version 1.",
      "The wrong write, at 1 s: op creates maps default/a: version 2. The run without faults does not make it.",
      "3: the wrong write",
      "5: maps default/a, things default/t",
    ], [
      "maps default/a is there: op created it at 1 s.",
      "op had not seen things default/t, which was there since 0 s in version 1.",
      "Without the faults, op deletes maps default/a at 3 s.",
      "Here, op never sent that write.",
      "Without the faults it follows on [create maps default/a #1]. Here, that is at 1 s.",
      "To the end, op had not seen things default/t, which was there since 0 s in version 1.",
      "3: after this, a write is missing",
      "5: maps default/a, things default/t",
    ], [
      "maps default/a is there: op created it at 1 s.",
      "op had not seen things default/t, which was there since 0 s in version 1.",
      "3: the wrong write",
      "5: maps default/a, things default/t",
    ], [
      "maps default/a is there: user created it at 0 s.",
      "0: the wrong write",
      "1: maps default/a",
    ], ["0: maps default/a"]],
  );
});

Deno.test("a story of an end state says who has set a field, and which write is missing", () => {
  const states = {
    state: { "maps default/a": { data: 1 } },
    expectedState: { "maps default/a": { data: 2 } },
  };
  const make = (...data: number[]) => (run: ToldRun) => {
    run.write("op", "creates", "maps a", { data: 0 });
    data.forEach((data, i) => run.at(1 + i).write("op", "changes", "maps a", { data }));
  };
  assertEquals(
    [
      ended({ ...states, run: make(1, 1), expected: make(1, 2) }),
      ended({ ...states, run: make(1, 2, 1), expected: make(1, 2) }),
      ended({
        ...states,
        run: (run) => void run.commit("user", "creates", "maps a", { data: 1 }),
        expected: make(2),
      }),
      ended({
        ...states,
        run: (run) => {
          run.commit("user", "creates", "maps a", { data: 1 });
          run.commit("user", "deletes", "maps a", { data: 1 });
          run.commit("user", "creates", "maps a", { data: 1 });
        },
        expected: () => {},
      }),
      ended({ ...states, run: () => {}, expected: make(2) }),
    ],
    [[
      "maps default/a: data is 1 and should be 2. op made it so at 1 s (version 2), and nobody changed it afterwards.",
      "Without the faults, op changes maps default/a (data: 1 → 2) at 2 s.",
      "Here, op never sent that write.",
      "Without the faults it follows on [patch maps default/a #1]. Here, that is at 1 s.",
      "The wrong write, at 2 s: op changes maps default/a (no change but of its version): version 3. The run without faults does not make it.",
      "op knew the newest version of every object that it watches at 2 s.",
      "4: after this, a write is missing",
      "7: the wrong write",
      "9: maps default/a",
    ], [
      "maps default/a: data is 1 and should be 2. op made it so at 3 s (version 4), and nobody changed it afterwards.",
      "The wrong write, at 3 s: op changes maps default/a (data: 2 → 1): version 4.",
      "op knew the newest version of every object that it watches at 3 s.",
      "The wrong write, at 3 s: op changes maps default/a (data: 2 → 1): version 4. The run without faults does not make it.",
      "10: the wrong write",
      "12: maps default/a",
    ], [
      "maps default/a: data is 1 and should be 2. user made it so at 0 s (version 1), and nobody changed it afterwards.",
      "Without the faults, op changes maps default/a (data: 0 → 2) at 1 s.",
      "Here, op never sent that write.",
      "1: maps default/a",
    ], [
      "maps default/a: data is 1 and should be 2. user made it so at 0 s (version 3), and nobody changed it afterwards.",
      "3: maps default/a",
    ], [
      "The first write that only the run without faults makes, at 0 s: op creates maps default/a (data: 0).",
      "0: maps default/a",
    ]],
  );
});

Deno.test("a story of an end state explains up to three objects, each once", () => {
  const names = ["a", "b", "c", "d"];
  const state = (data: object) =>
    Object.fromEntries(names.map((name) => [`maps default/${name}`, { data }]));
  const make = (data: object) => (run: ToldRun) => {
    for (const name of names) run.write("op", "creates", `maps ${name}`, { data });
  };
  const [one, two] = [{ x: 1, y: 1 }, { x: 2, y: 2 }];
  const run = { run: make(one), state: state(one), expected: make(two), expectedState: state(two) };
  assertEquals(ended(run), [
    "maps default/a: data.x is 1 and should be 2. op made it so at 0 s (version 1), and nobody changed it afterwards.",
    "Without the faults, op creates maps default/a (data.x: 2, data.y: 2) at 0 s.",
    "Here, op never sent that write.",
    "maps default/b: data.x is 1 and should be 2. op made it so at 0 s (version 2), and nobody changed it afterwards.",
    "Without the faults, op creates maps default/b (data.x: 2, data.y: 2) at 0 s.",
    "Without the faults it follows on [create maps default/a #1]. Here, that is at 0 s.",
    "maps default/c: data.x is 1 and should be 2. op made it so at 0 s (version 3), and nobody changed it afterwards.",
    "Without the faults, op creates maps default/c (data.x: 2, data.y: 2) at 0 s.",
    "Without the faults it follows on [create maps default/b #1]. Here, that is at 0 s.",
    "1: after this, a write is missing",
    "4: after this, a write is missing",
    "12: maps default/a, maps default/b, maps default/c",
  ]);
});

Deno.test("a story says where a run leaves the way of the run without faults, unless users did something else", () => {
  const leaves = (faults: readonly PlanFault[], tell: (run: ToldRun) => void) =>
    told(why("invariant", tell, {
      faults,
      expected: (run) => {
        run.write("op", "creates", "maps a");
        run.at(1).call("op", "make(a) #1");
        run.at(3).write("op", "creates", "maps b");
      },
    }));
  const same = (run: ToldRun) => {
    run.write("op", "creates", "maps a");
    run.at(1).call("op", "make(a) #1");
  };
  const other = (run: ToldRun) => {
    same(run);
    run.write("op", "creates", "maps c");
  };
  const step = { step: 0, settled: true, when: "settled" };
  for (const fault of ["bad", "skip", "repeat", "revert", "shortcut"]) {
    const cause = leaves([{ fault, ...step } as PlanFault], other);
    assertEquals([fault, cause.join().includes("without faults")], [fault, false]);
  }
  assertEquals(
    [
      leaves([], same),
      leaves([], (run) => {
        same(run);
        run.at(3);
      }),
      leaves([], (run) => {
        same(run);
        run.call("op", "make(a) #2");
        run.at(2).write("op", "creates", "maps c");
      }),
      leaves([{ fault: "shortcut" }], other),
      leaves([{ fault: "late" }], (run) => {
        run.at(1).call("op", "make(a) #1");
        run.at(9).step(0, "a step");
      }),
      leaves([], (run) => {
        run.at(1).write("op", "creates", "maps a");
        run.at(4);
      }),
    ],
    [[
      "The wrong call, at 1 s: op: [calls make(a) #1].",
      "op knew the newest version of every object that it watches at 1 s.",
      "3: the wrong call",
      "4: ",
    ], [
      "The first write that only the run without faults makes, at 3 s: op creates maps default/b.",
      "The wrong call, at 1 s: op: [calls make(a) #1].",
      "op knew the newest version of every object that it watches at 1 s.",
      "3: the wrong call",
      "4: ",
    ], [
      "The wrong call, at 1 s: op: [calls make(a) #2]. The run without faults does not make it.",
      "op knew the newest version of every object that it watches at 1 s.",
      "It showed, at 2 s: op creates maps default/c: version 2.",
      "op knew the newest version of every object that it watches at 2 s.",
      "4: the wrong call",
      "6: here it showed",
      "8: maps default/c",
    ], [
      "The wrong write, at 1 s: op creates maps default/c: version 2.",
      "op knew the newest version of every object that it watches at 1 s.",
      "5: the wrong write",
      "7: maps default/c",
    ], [
      "The first write that only the run without faults makes, at 0 s: op creates maps default/a.",
      "The wrong call, at 1 s: op: [calls make(a) #1].",
      "op knew the newest version of every object that it watches at 1 s.",
      "0: the wrong call",
      "2: ",
    ], [
      "The first write that only the run without faults makes, at 1 s: [op calls make(a) #1].",
      "The wrong write, at 1 s: op creates maps default/a: version 1.",
      "op knew the newest version of every object that it watches at 1 s.",
      "1: the wrong write",
      "3: maps default/a",
    ]],
  );
});

Deno.test("a story does not take writes for others because of generated names, UIDs and times", () => {
  const makes = (name: string, data: unknown) => (run: ToldRun) => {
    const metadata = { generateName: "g-" };
    run.write("op", "creates", `maps g-${name}`, {}, { metadata });
    run.write("op", "changes", `maps g-${name}`, { data }, { metadata });
    run.call("op", `make(${data}) #${name}`);
  };
  const leaves = (data: unknown, withoutFaults: unknown) =>
    told(why("invariant", makes("1", data), { expected: makes("2", withoutFaults) }))[0];
  const uid = (digit: number) => `${digit}1111111-1111-4111-8111-111111111111`;
  const time = (digit: number) => `202${digit}-01-01T00:00:00.5Z`;
  assertEquals(
    [leaves(uid(1), uid(2)), leaves(time(1), time(2)), leaves("a", "b")],
    [
      "The wrong call, at 0 s: op: [calls make(11111111-1111-4111-8111-111111111111) #1].",
      "The wrong call, at 0 s: op: [calls make(2021-01-01T00:00:00.5Z) #1].",
      'The wrong write, at 0 s: op changes maps default/g-1 (adds data: "a"): version 2. The run without faults does not make it.',
    ],
  );
});

Deno.test("a story ends where it goes wrong, whatever rule is broken, and tells what was wrong before", () => {
  const ends = (oracle: Oracle) => {
    const run = new ToldRun();
    run.process("op");
    const isLate = oracle === "workload" || oracle === "end state";
    if (!isLate) run.wrong("invariant", "something else");
    run.at(1).write("op", "creates", "maps a");
    run.answer(run.send("op", "create maps a"), 409);
    const wrong = [{ ...run.wrong("invariant", "later"), atMs: 2000 }, run.wrong(oracle, "wrong")];
    run.log("op", "wrong");
    run.write("op", "creates", "maps late");
    run.answer(run.send("op", "create maps late"), 409);
    run.commit("user", "creates", "maps later");
    return causeOf({ record: run.record({ wrong }), expected: undefined });
  };
  const oracles = ["hot loop", "restart", "stale delete", "workload", "process"] as const;
  assertEquals(oracles.map((oracle) => told(ends(oracle))), [[
    "The wrong write, at 1 s: op creates maps default/a: version 1.",
    "op knew the newest version of every object that it watches at 1 s.",
    "3: the wrong write",
    "8: maps default/a",
  ], [
    "The wrong write, at 1 s: op creates maps default/a: version 1.",
    "op knew the newest version of every object that it watches at 1 s.",
    "3: the wrong write",
    "8: maps default/a",
  ], [
    "The wrong write, at 1 s: op creates maps default/a: version 1.",
    "op knew the newest version of every object that it watches at 1 s.",
    "3: the wrong write",
    "8: maps default/a",
  ], [
    "The last write that was refused, at 1 s: op: [create maps default/a #1], with 409.",
    "op knew the newest version of every object that it watches at 1 s.",
    "4: the last write that was refused",
    "7: maps default/a",
  ], [
    "The last write that was refused, at 1 s: op: [create maps default/a #1], with 409.",
    "op knew the newest version of every object that it watches at 1 s.",
    "5: the last write that was refused",
    "8: maps default/a",
  ]]);
  assertEquals(storyOf(ends("hot loop")), [
    "    0.000 s op starts",
    "    0.000 s X something else",
    "    1.000 s op creates maps default/a → version 1   <== the wrong write",
    "    1.000 s op: create maps default/a #1 is answered with 409",
    "    1.000 s X later",
    "    1.000 s X wrong",
  ]);
});

Deno.test("a story says what else a process may know wrong: a deletion, or another object of the name", () => {
  const knew = (tell: (run: ToldRun) => void) =>
    why("invariant", (run) => {
      run.process("op");
      run.see("op", run.commit("user", "creates", "things.example.com t", size(1)));
      tell(run);
      run.at(1).write("op", "creates", "maps a");
    });
  const t = "things.example.com t";
  const again = (run: ToldRun) => {
    run.see("op", run.commit("user", "deletes", t, size(1)));
    run.commit("user", "creates", t, size(1));
  };
  const metadata = { deletionTimestamp: "2020-01-01T00:00:00Z" };
  assertEquals(
    [
      knew((run) => void run.commit("user", "deletes", t, size(1))).sentences[1],
      knew((run) => {
        run.see("op", run.commit("user", "changes", t));
        run.commit("user", "deletes", t);
      }).sentences[1],
      knew(again).sentences[1],
      knew((run) => {
        run.commit("user", "deletes", t, size(1));
        run.commit("user", "creates", t, size(1));
      }).sentences[1],
      knew((run) => {
        run.see("op", run.commit("user", "changes", t));
        run.commit("user", "changes", t);
      }).sentences[1],
      storyOf(knew((run) => {
        run.commit("user", "changes", t, size(1), { metadata });
        run.commit("user", "changes", t, size(2), { metadata });
      })).slice(2, 4),
    ],
    [
      "op acted on things default/t version 1 (spec.size: 1), while that object was deleted since 0 s (version 2).",
      "op acted on things default/t version 2, while that object was deleted since 0 s (version 3).",
      "op had not seen things default/t, which was there since 0 s in version 3 (spec.size: 1).",
      "op acted on things default/t version 1 (spec.size: 1), while version 3 (spec.size: 1) was true since 0 s, which is another object of that name.",
      "op acted on things default/t version 2, while version 3 was true since 0 s.",
      [
        "    0.000 s user begins to delete things default/t → version 2",
        "    0.000 s user changes things default/t (spec.size: 1 → 2) → version 3",
      ],
    ],
  );
});
