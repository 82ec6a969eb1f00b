/** Stories of runs that `ToldRun` makes up: which moments they mark and show. Their wording is in `stories.json`. */

import { assert, assertEquals } from "@std/assert";
import type { Oracle, RunRecord } from "../../../src/testing/simulation/judge/mod.ts";
import { Details } from "../../../src/testing/simulation/record/mod.ts";
import type { PlanFault } from "../../../src/testing/simulation/plans/mod.ts";
import {
  type Cause,
  causeOf,
  Chronicle,
  storyLines,
  storyOf,
} from "../../../src/testing/simulation/report/mod.ts";
import { ToldRun } from "./told_run.ts";

type Tell = (run: ToldRun) => void;

interface Given {
  /** The run without faults. */
  readonly expected?: Tell;
  readonly faults?: readonly PlanFault[];
  readonly state?: object;
  readonly expectedState?: object;
}

/** Returns the cause of a run that ends wrong. */
function why(
  oracle: Oracle,
  tell: Tell,
  { expected, expectedState = {}, faults = [], state }: Given = {},
): Cause {
  const run = new ToldRun();
  tell(run);
  const wrong = run.wrong(oracle, "it is wrong");
  let without: RunRecord | undefined;
  if (expected !== undefined) {
    const reference = new ToldRun();
    expected(reference);
    without = reference.record({ state: expectedState });
  }
  return causeOf({ record: run.record({ wrong: [wrong], faults, state }), expected: without });
}

/** Returns the marks of a cause by the index of their moment, and then the objects that it is about. */
function marked({ focus, marks }: Cause): string[] {
  return [...[...marks].map(([at, text]) => `${at}: ${text}`), [...focus].join(", ")];
}

const size = (size: number) => ({ spec: { size } });

/** A process that makes a map, and may delete it after a restart on a stale replica. */
function onStale(isStale: boolean): Tell {
  return (run) => {
    run.process("op");
    const one = run.commit("user", "creates", "things t", size(1));
    run.see("op", one);
    run.write("op", "creates", "maps t-0", { data: "a" });
    const three = run.at(30).commit("user", "changes", "things t", size(3));
    if (!isStale) return run.see("op", three);
    run.at(32).process("op", "starts again");
    run.list("op", "things", one);
    run.at(40).write("op", "deletes", "maps t-0");
  };
}

const makesA: Tell = (run) => void run.write("op", "creates", "maps a");
const dropsForeign: Tell = (run) => {
  const metadata = { finalizers: ["another-client.example.com/was-here"] };
  run.see("op", run.commit("user", "creates", "things t", size(1)));
  const sent = run.send("op", "patch things t");
  run.commit("another client", "changes", "things t", size(1), { metadata });
  run.answer(sent, 200, run.commit("op", "changes", "things t", size(2)));
  run.at(5).commit("user", "deletes", "things t");
};
const isRefused = (status: number): Tell => (run) => {
  run.answer(run.send("op", "create things t"), status);
  makesA(run.at(1));
};
const missing = { expectedState: { "maps default/a": { data: 1 } } };
const tooMany = { state: { "maps default/a": { data: 1 } } };
const isOther = { ...missing, state: { "maps default/a": { data: 2 } } };
const sets = (...data: number[]): Tell => (run) => {
  run.write("op", "creates", "maps a", { data: 0 });
  data.forEach((data, i) => run.at(1 + i).write("op", "changes", "maps a", { data }));
};

const CAUSES: readonly (readonly [string, Oracle, Tell, Given, readonly string[]])[] = [
  ["a delete on stale knowledge", "stale delete", onStale(true), { expected: onStale(false) }, [
    "10: the wrong write",
    "maps default/t-0, things default/t",
  ]],
  ["the last write", "invariant", makesA, {}, ["1: the wrong write", "maps default/a"]],
  [
    "what the cluster did after the last write",
    "invariant",
    (run) => {
      makesA(run);
      run.at(1).commit("", "changes", "maps a", { data: "x" });
    },
    {},
    ["3: here it showed", "1: the wrong write", "maps default/a"],
  ],
  [
    "the last call",
    "invariant",
    (run) => {
      run.commit("user", "creates", "maps a");
      run.at(1).call("op", "make(a) #1");
    },
    {},
    ["1: the wrong call", ""],
  ],
  [
    "the write of a user alone",
    "invariant",
    (run) => {
      run.commit("user", "creates", "maps a");
    },
    {},
    ["0: here it showed", "maps default/a"],
  ],
  ["the write that drops a finalizer", "lost entry", dropsForeign, {}, [
    "4: the wrong write",
    "things default/t",
  ]],
  ["nothing at all", "lost entry", () => {}, {}, [""]],
  ["a refused write", "liveness", isRefused(400), {}, [
    "0: the last write that was refused",
    "things default/t",
  ]],
  ["a write that is not refused", "liveness", isRefused(399), {}, [
    "3: the wrong write",
    "maps default/a",
  ]],
  ["an object that was never created", "end state", () => {}, { ...missing, expected: makesA }, [
    "maps default/a",
  ]],
  ["a write that should have followed", "end state", (run) => {
    run.write("op", "creates", "maps before");
  }, {
    ...missing,
    expected: (run) => {
      run.write("op", "creates", "maps before");
      makesA(run.at(1));
    },
  }, ["1: after this, a write is missing", "maps default/a, maps default/before"]],
  [
    "an object that was deleted",
    "end state",
    (run) => {
      makesA(run);
      run.write("op", "deletes", "maps a");
    },
    { ...missing, expected: makesA },
    ["4: the wrong write", "maps default/a"],
  ],
  ["an object too many", "end state", makesA, { ...tooMany, expected: () => {} }, [
    "1: the wrong write",
    "maps default/a",
  ]],
  ["a delete that is missing", "end state", makesA, {
    ...tooMany,
    expected: (run) => {
      makesA(run);
      run.write("op", "deletes", "maps a");
    },
  }, ["1: after this, a write is missing", "maps default/a"]],
  ["a field that was set back", "end state", sets(1, 2, 1), { ...isOther, expected: sets(1, 2) }, [
    "10: the wrong write",
    "maps default/a",
  ]],
  ["a field that was not set", "end state", sets(1), { ...isOther, expected: sets(1, 2) }, [
    "4: after this, a write is missing",
    "maps default/a",
  ]],
];

for (const [what, oracle, tell, given, expected] of CAUSES) {
  Deno.test(`causeOf() marks ${what}`, () => {
    assertEquals(marked(why(oracle, tell, given)), expected);
  });
}

Deno.test("causeOf() marks the first write or call that the run without faults does not make", () => {
  const both: Tell = (run) => {
    makesA(run);
    run.at(1).call("op", "make(a) #1");
  };
  const other: Tell = (run) => {
    both(run);
    run.call("op", "make(b) #1");
    run.write("op", "creates", "maps c");
  };
  const expected: Tell = (run) => {
    both(run);
    run.at(3).write("op", "creates", "maps b");
  };
  assertEquals(marked(why("invariant", other, { expected })), [
    "4: the wrong call",
    "6: here it showed",
    "maps default/c",
  ]);
  // After these faults, users do something else.
  for (const fault of ["bad", "skip", "repeat", "revert", "shortcut"]) {
    const faults = [{ fault, step: 0, settled: true, when: "settled" } as PlanFault];
    const cause = why("invariant", other, { expected, faults });
    assertEquals(marked(cause), ["6: the wrong write", "maps default/c"], fault);
  }
});

Deno.test("causeOf() compares writes without generated names, UIDs and times", () => {
  const makes = (name: string, data: string): Tell => (run) => {
    const metadata = { generateName: "g-" };
    run.write("op", "creates", `maps g-${name}`, {}, { metadata });
    run.write("op", "changes", `maps g-${name}`, { data }, { metadata });
    run.write("op", "creates", "maps end");
  };
  const first = (data: string, withoutFaults: string) =>
    marked(why("invariant", makes("1", data), { expected: makes("2", withoutFaults) }))[0];
  const uid = (digit: number) => `${digit}1111111-1111-4111-8111-111111111111`;
  const time = (digit: number) => `202${digit}-01-01T00:00:00.5Z`;
  assertEquals(
    [first(uid(1), uid(2)), first(time(1), time(2)), first("a", "b")],
    ["7: the wrong write", "7: the wrong write", "4: the wrong write"],
  );
});

Deno.test("causeOf() looks at what happened before the rule was broken", () => {
  const cause = (oracle: Oracle) => {
    const run = new ToldRun();
    makesA(run);
    run.answer(run.send("op", "create maps a"), 409);
    const wrong = run.wrong(oracle, "wrong");
    run.write("op", "creates", "maps late");
    run.answer(run.send("op", "create maps late"), 409);
    return causeOf({ record: run.record({ wrong: [wrong] }), expected: undefined });
  };
  for (const oracle of ["hot loop", "restart", "stale delete", "invariant"] as const) {
    assertEquals(marked(cause(oracle)), ["1: the wrong write", "maps default/a"], oracle);
  }
  for (const oracle of ["workload", "process", "liveness"] as const) {
    const expected = ["3: the last write that was refused", "maps default/a"];
    assertEquals(marked(cause(oracle)), expected, oracle);
  }
  assertEquals(storyLines(cause("hot loop")).at(-1)?.kind, "wrong");
});

Deno.test("Chronicle.staleAtEnd() leaves out what a process has not asked for, what is gone, and what it has just written", () => {
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
    // An object that was created and deleted unseen, and a deletion that another one has followed.
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
  // Its own write is not told as the knowledge of others is.
  const written = (seconds: number, by = "op") => {
    const run = new ToldRun();
    run.list("op", "things");
    run.commit(by, "creates", "things t");
    run.at(seconds).call("op", "make(a) #1");
    return new Chronicle(run.record()).acts[0]!.stale.map(({ isOwn }) => isOwn);
  };
  assertEquals([written(0), written(1), written(0, "user")], [[true], [true], [false]]);
});

Deno.test("Chronicle links a write to the version that its answer names, or else to the last one of its object", () => {
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

Deno.test("storyOf() has at most 60 lines: it leaves out the lines of the lowest rank, the oldest first", () => {
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
  assertEquals([exact(55).length, exact(56).length, exact(57).length], [59, 60, 61]);
});

Deno.test("storyLines() counts repeated lines of a log, and sums up the log after the last write", () => {
  const logged = (...after: string[]) => {
    const cause = why("process", (run) => {
      for (const text of ["try 1", "this server is too old for a replica", "try 2", "try 33"]) {
        run.log("op", text);
      }
      makesA(run.at(1));
      after.forEach((text, i) => run.at(2 + i).log("op", text));
    });
    return storyLines(cause).map(({ kind, more }) =>
      more === undefined ? kind : `${kind} +${more}`
    );
  };
  const start = ["log +2", "write"];
  assertEquals(logged(), [...start, "wrong"]);
  assertEquals(logged("a", "b", "c"), [...start, "log", "log", "log", "wrong"]);
  // The fourth line is the sum of the others.
  const many = logged("a 1", "b", "c", "a x", "d", "d", "dropped the watch");
  assertEquals(many, [...start, "log", "log", "log", "log", "wrong"]);
});

Deno.test("storyLines() has one line for writes at the same time that differ in their name", () => {
  const cause = why("process", (run) => {
    for (let i = 0; i < 5; i++) run.write("op", "creates", `maps m-${i}`, { data: "x" });
    run.write("op", "creates", "maps n", { data: "y" });
    run.write("op", "creates", "maps p", {});
    // Two changes of one object are two lines.
    for (let i = 0; i < 2; i++) run.write("op", "changes", "maps p", { data: "z".repeat(i) });
    run.write("op", "deletes", "maps p");
    run.write("op", "deletes", "maps n");
    run.at(1).write("op", "creates", "maps end");
  });
  assertEquals(
    storyLines(cause).flatMap(({ versions }) => versions === undefined ? [] : [versions.join()]),
    ["1,2,3,4,5", "6", "7", "8", "9", "10,11", "12"],
  );
});

Deno.test("storyLines() shows what a process sees late or not at all, and nothing else that it sees", () => {
  const seen = (lateMs: number, by = "user") => {
    const cause = why("process", (run) => {
      run.process("op");
      run.see("op", run.commit("user", "creates", "things t", size(1)));
      const two = run.commit(by, "changes", "things t", size(2));
      run.at(lateMs / 1000).see("op", two, two);
    });
    return storyLines(cause).filter(({ kind }) => kind === "seen").length;
  };
  assertEquals([seen(0), seen(1), seen(1, "op")], [0, 1, 1]);
});

Deno.test("causeOf() tells which own write a process had not read yet, and claims nothing else", () => {
  const told = (tell: Tell) => why("invariant", tell).sentences.slice(1);
  assertEquals(
    told((run) => {
      const one = run.write("op", "creates", "maps a", { data: 1 });
      run.see("op", one);
      run.write("op", "changes", "maps a", { data: 2 });
      run.write("op", "changes", "maps a", { data: 3 });
    }),
    [
      "op had not yet read its own write of maps default/a (version 2, data: 1 → 2): its cache still had version 1.",
    ],
  );
  assertEquals(
    told((run) => {
      run.see("op", run.write("op", "creates", "maps a"));
      run.write("op", "creates", "maps b");
      run.write("op", "deletes", "maps a");
      run.write("op", "creates", "maps c");
    }),
    [
      "op had not yet read its own delete of maps default/a (version 3): its cache still had version 1.",
      "op had not yet read its own write of maps default/b (version 2): its cache did not have the object yet.",
    ],
  );
  // The writes of others come first. An own write of another object explains nothing then.
  assertEquals(
    told((run) => {
      run.see("op", run.commit("user", "creates", "things t", size(1)));
      run.see("op", run.write("op", "creates", "maps a"));
      run.write("op", "creates", "maps b");
      run.commit("user", "changes", "things t", size(2));
      run.at(1).write("op", "changes", "maps a", { data: 1 });
    }).map((sentence) => sentence.slice(0, 36)),
    ["op acted on things default/t version"],
  );
  assertEquals(
    told((run) => {
      run.see("op", run.write("op", "creates", "maps a"));
    }),
    ["op had received the newest version of every object that it watches at 0.00 s."],
  );
});

Deno.test("causeOf() shows both outcomes where an order decides, and blames no one", () => {
  const sets = (...writes: readonly (readonly [string, number])[]): Tell => (run) => {
    run.commit("user", "creates", "maps a", { data: 0 });
    for (const [by, data] of writes) run.at(data).write(by, "changes", "maps a", { data });
  };
  const cause = (tell: Tell, expected: Tell, fault: PlanFault, value = 1) =>
    why("end state", tell, {
      expected,
      faults: [fault],
      state: { "maps default/a": { data: value } },
      expectedState: { "maps default/a": { data: 2 } },
    });
  const hold = { fault: "pause", write: "w", forMs: 1 } as const;
  const flipped = cause(sets(["b", 2], ["a", 1]), sets(["a", 1], ["b", 2]), hold);
  assertEquals(flipped.sentences.slice(0, 3), [
    "The outcome depends on the order of the processes. Which outcome is right, the simulation cannot know.",
    "maps default/a: data is 2 in the run without faults: b made it so at 2.00 s (version 3).",
    "maps default/a: data is 1 in this run: a made it so at 1.00 s (version 3).",
  ]);
  assertEquals([...flipped.marks], []);
  assertEquals(storyOf(flipped.other!.cause).length, 3);
  // One process alone has the last word in both runs, or overwrites a value that it does not know: that is an error.
  const alone = cause(sets(["a", 2], ["a", 1]), sets(["a", 1], ["a", 2]), hold);
  assertEquals(alone.other, undefined);
  const blind = cause(
    (run) => {
      run.see("a", run.commit("user", "creates", "maps a", { data: 0 }));
      run.write("b", "changes", "maps a", { data: 2 });
      run.at(1).write("a", "changes", "maps a", { data: 1 });
    },
    sets(["a", 1], ["b", 2]),
    hold,
  );
  assertEquals(blind.other, undefined);
  // No fault but an order.
  const late = cause(sets(["a", 1]), sets(["a", 2]), { fault: "late" });
  assertEquals(late.other?.decides, "the order of requests and events");
  const shortcut = cause(sets(["a", 1]), sets(["a", 2]), { fault: "shortcut" });
  assertEquals([shortcut.other?.here, shortcut.other?.there], [
    "if the objects are created as they are wanted in the end",
    "after the steps of the workload",
  ]);
  assert(!shortcut.sentences.join().includes("wrong"));
});

Deno.test("causeOf() names the lines that have sent a write and read what was old, and storyLines() repeated calls", () => {
  const history = new ToldRun();
  const details = new Details(history.history);
  const map = history.commit("user", "creates", "maps a", { data: 0 });
  history.see("op", map);
  const cache = {};
  details.read({ process: "op", cache, name: "maps", key: "default/a", objects: [map.object()] });
  history.see("op", history.commit("user", "changes", "maps a", { data: 1 }));
  for (let i = 1; i <= 7; i++) details.repeat("op", `op calls ask() #${i}`);
  details.setOrigin("op patch maps default/a #1", { place: "app.ts:7 (reconcile)" });
  history.write("op", "changes", "maps a", { data: 2 });
  const wrong = history.wrong("invariant", "it is wrong");
  const record = { ...history.record({ wrong: [wrong] }), details };
  const cause = causeOf({ record, expected: undefined });
  assertEquals(cause.sentences[0]?.endsWith("Sent at app.ts:7 (reconcile)."), true);
  // This test is the program, although the process has received a newer version.
  const [, old = ""] = cause.sentences;
  assert(
    old.startsWith("op acted on maps default/a version 1 (data: 0), while version 2 (data: 1)"),
  );
  assert(/It was last read at \S+\.[jt]s:\d+/.test(old), old);
  assertEquals(
    storyLines(cause).filter(({ kind }) => kind === "call").map(({ more = 0, text }) =>
      `${text} +${more}`
    ),
    [
      "op calls ask() #1 +0",
      "op calls ask() #2 +0",
      "op calls ask() #3 +3",
      "op calls ask() #7 +0",
    ],
  );
});

Deno.test("causeOf() blames no write that was wanted, but names who has read the newer wish", () => {
  const told = (fault: PlanFault, tell: Tell) => {
    const run = new ToldRun();
    const details = new Details(run.history);
    const one = run.commit("user", "creates", "things t", size(1));
    run.see("op", one);
    run.write("op", "creates", "maps a", { data: 1 });
    tell(run.at(1));
    const two = run.commit("user", "changes", "things t", size(2));
    run.see("op", two);
    const objects = [two.object()];
    details.read({ process: "op", cache: {}, name: "things", key: "default/t", objects });
    const wrong = run.wrong("end state", "it is wrong");
    const state = { "maps default/a": { data: 1 } };
    const record = { ...run.record({ wrong: [wrong], faults: [fault], state }), details };
    const reference = new ToldRun();
    reference.write("op", "creates", "maps a", { data: 1 });
    const expected = reference.record({ state: { "maps default/a": { data: 2 } } });
    return causeOf({ record, expected });
  };
  const reverted = told(
    { fault: "revert", step: 0, when: "settled" },
    (run) => run.step(0, "take back: patch things t"),
  );
  assertEquals([...reverted.marks.values()], ["nobody took this back"]);
  assertEquals(
    reverted.sentences[1],
    "The step that had asked for it was taken back at 1.00 s, and that did not change it.",
  );
  const bad = told({ fault: "bad", step: 0 }, () => {});
  assertEquals([...bad.marks.values()], ["nobody changed this afterwards"]);
  for (const { sentences } of [reverted, bad]) {
    assert(
      sentences[2]?.startsWith("op read version 3 of things default/t at "),
      String(sentences),
    );
  }
});
