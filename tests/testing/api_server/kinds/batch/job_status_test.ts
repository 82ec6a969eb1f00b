import { assertEquals } from "@std/assert";
import { validateJobStatus } from "../../../../../src/testing/api_server/kinds/batch/job_status.ts";
import type { Loose } from "../../support.ts";

const START = "2026-01-01T00:00:00Z";
const LATER = "2026-01-01T00:00:01Z";

const conditions = (...types: string[]): Loose => ({
  conditions: types.map((type) =>
    type.startsWith("!") ? { type: type.slice(1), status: "False" } : { type, status: "True" }
  ),
});
const COMPLETE = {
  startTime: START,
  completionTime: START,
  ...conditions("SuccessCriteriaMet", "Complete"),
};
const FAILED = { startTime: START, ...conditions("FailureTarget", "Failed") };

type Case = readonly [next: Loose, old: Loose, expected: string[], spec?: Loose];

function check(cases: readonly Case[]): void {
  for (const [next, old, expected, spec = {}] of cases) {
    const errors = validateJobStatus({ spec, status: next }, { spec, status: old });
    const shown = errors.map(({ field, message }) => `${field}: ${message}`);
    const short = shown.map((text) =>
      text.replace("status.", "").replace(/(Invalid|Duplicate|Required) value: /, "")
    );
    assertEquals(short, expected, JSON.stringify([next, old, spec]));
  }
}

Deno.test("validateJobStatus() refuses counters and conditions that contradict each other", () => {
  const negative = "must be greater than or equal to 0";
  const of = (what: string) => [`conditions: ${what}`];
  check([
    [{ active: 1, ready: 1, terminating: 1, succeeded: 0, failed: 0 }, {}, []],
    [{ active: -1 }, {}, [`active: -1: ${negative}`]],
    [{ terminating: -1 }, {}, [`terminating: -1: ${negative}`]],
    [{ ready: 2, active: 1 }, {}, ["ready: 2: cannot set more ready pods than active"]],
    [{ ready: 1 }, {}, ["ready: 1: cannot set more ready pods than active"]],
    [{ ready: 2, active: 1 }, { ready: 2, active: 1 }, []],
    [{ uncountedTerminatedPods: { succeeded: ["a"], failed: ["b"] } }, {}, []],
    [{ uncountedTerminatedPods: { succeeded: ["a", ""], failed: ["a"] } }, {}, [
      'uncountedTerminatedPods.succeeded[1]: "": must not be empty',
      'uncountedTerminatedPods.failed[0]: "a"',
    ]],
    [COMPLETE, {}, []],
    [FAILED, {}, []],
    [
      { ...COMPLETE, ...conditions("SuccessCriteriaMet", "Complete", "FailureTarget", "Failed") },
      {},
      [
        ...of("cannot set Complete=True and Failed=true conditions"),
        ...of("cannot set Complete=True and FailureTarget=true conditions"),
        ...of("cannot set SuccessCriteriaMet=True and Failed=true conditions"),
        ...of("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
      ],
    ],
    [
      { ...FAILED, ...conditions("Failed") },
      {},
      of("cannot set Failed=True condition without the FailureTarget=true condition"),
    ],
    [
      { ...COMPLETE, ...conditions("Complete") },
      {},
      of("cannot set Complete=True condition without the SuccessCriteriaMet=true condition"),
    ],
    // Unchanged conditions are accepted.
    [{ ...COMPLETE, ...conditions("Complete") }, { ...COMPLETE, ...conditions("Complete") }, []],
    [{ ...FAILED, ...conditions("Failed") }, { ...FAILED, ...conditions("Failed") }, []],
    [
      { ...COMPLETE, ...conditions("Complete") },
      { ...COMPLETE, ...conditions("Complete") },
      of("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"),
      { successPolicy: {} },
    ],
  ]);
});

Deno.test("validateJobStatus() wants the times that belong to the conditions", () => {
  const { completionTime: _, ...unended } = COMPLETE;
  const { startTime: __, ...unstarted } = COMPLETE;
  const required = "startTime: startTime is required for finished job";
  check([
    [{ ...COMPLETE, completionTime: LATER }, {}, []],
    [unended, {}, ["completionTime: completionTime is required for Complete jobs"]],
    [unended, unended, []],
    [{ startTime: START, completionTime: LATER }, {}, [
      `completionTime: "${LATER}": cannot set completionTime when there is no Complete=True condition`,
    ]],
    [{ ...COMPLETE, startTime: LATER }, {}, [
      `completionTime: "${START}": must be equal to or after \`startTime\``,
    ]],
    [unstarted, {}, [required]],
    [unstarted, {}, [], { suspend: true, completions: 0 }],
    [unstarted, {}, [required], { suspend: true, completions: 1 }],
    [unstarted, unstarted, []],
    [{ ...COMPLETE, active: 1 }, {}, ["active: 1: active>0 is invalid for finished job"]],
    [{ ...FAILED, active: 0, terminating: 0 }, {}, []],
    [{ ...FAILED, terminating: 1 }, {}, [
      "terminating: 1: terminating>0 is invalid for finished job",
    ]],
    [{ active: 1, terminating: 1 }, {}, []],
    [{ ...FAILED, active: 1 }, { ...FAILED, active: 1 }, []],
    [{ ...FAILED, uncountedTerminatedPods: { failed: ["a"] } }, {}, [
      'uncountedTerminatedPods: {"failed":["a"]}: must be empty for finished job',
    ]],
    [{ ...FAILED, uncountedTerminatedPods: { failed: [] } }, {}, []],
  ]);
});

Deno.test("validateJobStatus() compares indexes with the completions of the Job", () => {
  const indexed = { completions: 5, completionMode: "Indexed", backoffLimitPerIndex: 1 };
  const { backoffLimitPerIndex: _, ...together } = indexed;
  const mixed = { completedIndexes: "0,2-3", failedIndexes: "1,3-4" };
  const many = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
  check([
    [{ completedIndexes: "0,2-3", failedIndexes: "1,4" }, {}, [], indexed],
    [mixed, {}, [
      'failedIndexes: "1,3-4": failedIndexes and completedIndexes overlap at index: 3',
    ], indexed],
    [mixed, mixed, [], indexed],
    [{ failedIndexes: "1" }, {}, [`failedIndexes: "1": ${many}`], together],
    [{ completedIndexes: "1" }, {}, [
      'completedIndexes: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
    ], { completions: 5 }],
    [{ completedIndexes: "" }, {}, [], { completions: 5 }],
    [{ completedIndexes: "x" }, { completedIndexes: "x" }, [], indexed],
  ]);
});

Deno.test("validateJobStatus() refuses what goes back", () => {
  const of = (what: string) => [`conditions: ${what}`];
  const elastic = { completionMode: "Indexed", completions: 3, parallelism: 3 };
  const fewer = "succeeded: 1: cannot decrease the succeeded counter";
  const removed = "startTime: startTime cannot be removed for unsuspended job";
  check([
    [
      { ...FAILED, ...conditions("FailureTarget") },
      FAILED,
      of(
        "cannot disable the terminal Failed=True condition",
      ),
    ],
    [FAILED, FAILED, []],
    [
      conditions(),
      conditions("FailureTarget"),
      of(
        "cannot disable the terminal FailureTarget=True condition",
      ),
    ],
    [
      conditions(),
      conditions("SuccessCriteriaMet"),
      of(
        "cannot disable the SuccessCriteriaMet=True condition",
      ),
    ],
    [
      COMPLETE,
      { ...COMPLETE, ...conditions("Complete") },
      of(
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
      ),
    ],
    [{ failed: 1, succeeded: 2 }, { failed: 1, succeeded: 1 }, []],
    [{ failed: 0 }, { failed: 1 }, ["failed: 0: cannot decrease the failed counter"]],
    [{}, { failed: 1 }, ["failed: 0: cannot decrease the failed counter"]],
    [{ succeeded: 1 }, { succeeded: 2 }, [fewer]],
    [{ succeeded: 1 }, { succeeded: 2 }, [], elastic],
    [{ succeeded: 1 }, { succeeded: 2 }, [fewer], { ...elastic, parallelism: 2 }],
    [{ succeeded: 1 }, { succeeded: 2 }, [fewer], { ...elastic, completionMode: "NonIndexed" }],
    [{ ...COMPLETE, completionTime: LATER }, COMPLETE, [
      `completionTime: "${LATER}": field is immutable`,
    ]],
    [{}, { startTime: START }, [removed]],
    [{ startTime: LATER }, { startTime: START }, [removed]],
    [{ startTime: START }, { startTime: START }, []],
    [{ startTime: START }, {}, []],
    [{}, { startTime: START }, [], { suspend: true }],
    [{ startTime: LATER, ...conditions("!Suspended") }, {
      startTime: START,
      ...conditions("Suspended"),
    }, []],
    [{ startTime: LATER, ...conditions("Suspended") }, {
      startTime: START,
      ...conditions("Suspended"),
    }, [removed]],
  ]);
});
