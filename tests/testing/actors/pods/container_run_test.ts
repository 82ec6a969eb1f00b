import { assertEquals, assertThrows } from "@std/assert";
import {
  ContainerRun,
  type ContainerRunOptions,
} from "../../../../src/testing/actors/pods/container_run.ts";
import {
  type ContainerLife,
  exitOf,
  lifeOf,
} from "../../../../src/testing/actors/pods/pod_life.ts";
import type { PodLife } from "../../../../src/testing/mod.ts";
import type { Pod } from "../../../../mod.ts";
import { requireLives } from "../../../../src/testing/actors/pods/check_lives.ts";
import { probeChanges } from "../../../../src/testing/actors/pods/probes.ts";

const LIFE: ContainerLife = {
  startAfterMs: 100,
  readyAfterMs: 50,
  stopAfterMs: 2000,
  exits: [],
  logs: [],
  probes: {},
  stuck: undefined,
  exec: [],
  ports: [],
  usage: undefined,
};

function container(
  life: Partial<ContainerLife> = {},
  rest: Partial<ContainerRunOptions> = {},
): ContainerRun {
  return new ContainerRun({
    name: "c",
    image: "i",
    restartPolicy: "Always",
    life: { ...LIFE, ...life },
    output: undefined,
    probes: {},
    meanTimeToCrashMs: Infinity,
    random: { next: () => 0.5 },
    restarts: 0,
    ...rest,
  });
}

/** Lets a container run until `untilMs`. Returns the times at which its state changes, with the state. */
function play(run: ContainerRun, untilMs: number, fromMs = 0): string[] {
  const seen: string[] = [];
  let last = "";
  for (let atMs = fromMs; atMs <= untilMs;) {
    const nextMs = run.advance(atMs);
    const exit = run.state === "running" ? "" : run.lastRun?.exitCode ?? "";
    const now = `${run.state}${run.isReady(atMs) ? " ready" : ""} ${exit}`.trim();
    if (now !== last) seen.push(`${atMs} ${now}`);
    last = now;
    if (nextMs === Infinity) break;
    atMs = nextMs;
  }
  return seen;
}

Deno.test("ContainerRun starts, becomes ready, and waits until it may", () => {
  const run = container();
  assertEquals([run.advance(0), run.state], [Infinity, "waiting"]);
  run.begin(10);
  run.begin(5000);
  assertEquals(play(run, 9999), ["0 waiting", "110 running", "160 running ready"]);
  assertEquals([run.startedAtMs, run.startupMs, run.everStartedMs], [110, 110, 110]);
  const stuck = container({ stuck: { reason: "ImagePullBackOff" } });
  stuck.begin(10);
  assertEquals(stuck.advance(9999), Infinity);
});

Deno.test("ContainerRun restarts by its policy", () => {
  for (
    const [restartPolicy, exitCode, state] of [
      ["Always", 0, "restarting"],
      ["Always", 1, "restarting"],
      ["OnFailure", 0, "over"],
      ["OnFailure", 1, "restarting"],
      ["Never", 0, "over"],
      ["Never", 1, "over"],
    ] as const
  ) {
    const run = container({ exits: [{ afterMs: 10, exitCode }] }, { restartPolicy });
    run.begin(0);
    play(run, 110);
    assertEquals([run.state, run.lastRun?.exitCode, run.lastRun?.reason], [
      state,
      exitCode,
      exitCode === 0 ? "Completed" : "Error",
    ]);
    assertEquals(run.overAtMs, state === "over" ? 110 : Infinity);
  }
  const killed = container({
    exits: [{ afterMs: 10, exitCode: 137, reason: "OOMKilled" }],
  });
  killed.begin(0);
  play(killed, 110);
  assertEquals([killed.lastRun, killed.restarts], [{
    exitCode: 137,
    reason: "OOMKilled",
    probe: undefined,
    startedAtMs: 100,
    finishedAtMs: 110,
  }, 0]);
});

Deno.test("ContainerRun backs off longer after each crash in a row, up to five minutes", () => {
  const run = container({ exits: [{ afterMs: 0, exitCode: 1, times: 9 }] });
  run.begin(0);
  const starts: number[] = [];
  for (let atMs = run.advance(0); atMs < Infinity && run.restarts < 9;) {
    starts.push(atMs);
    atMs = run.advance(atMs);
  }
  assertEquals(starts.slice(1).map((ms, i) => ms - starts[i]!), [
    100,
    10_000,
    20_000,
    40_000,
    80_000,
    160_000,
    300_000,
    300_000,
    300_000,
  ]);
});

Deno.test("ContainerRun forgives crashes after ten minutes, not sooner", () => {
  for (const [afterMs, backoffMs] of [[599_999, 20_000], [600_000, 0]] as const) {
    const exits = [{ afterMs: 0, exitCode: 1, times: 2 }, { afterMs, exitCode: 1 }];
    const run = container({ exits });
    run.begin(0);
    play(run, 700_000);
    assertEquals([run.restarts, run.state], [3, "running"]);
    assertEquals(run.backoffMs, backoffMs);
  }
});

Deno.test("ContainerRun stops within its grace, with the code of a kill after it, and never restarts", () => {
  for (const [graceMs, atMs, exitCode] of [[5000, 2500, 0], [2000, 2500, 0], [1000, 1500, 137]]) {
    const run = container();
    run.begin(0);
    run.advance(500);
    run.stop(500, graceMs!);
    assertEquals(play(run, 9999, 500).at(-1), `${atMs} over ${exitCode}`);
  }
  const twice = container();
  twice.begin(0);
  twice.advance(500);
  twice.stop(500, 1000);
  twice.stop(600, 5000);
  assertEquals(play(twice, 9999, 600).at(-1), "1500 over 137");
  const sooner = container();
  sooner.begin(0);
  sooner.advance(500);
  sooner.stop(500, 5000);
  sooner.stop(600, 100);
  assertEquals(play(sooner, 9999, 600).at(-1), "700 over 137");
  const early = container();
  early.begin(0);
  early.stop(50, 1000);
  assertEquals(play(early, 9999, 50), ["50 over"]);
  const ends = container({ exits: [{ afterMs: 500, exitCode: 3 }] });
  ends.begin(0);
  ends.advance(500);
  ends.stop(500, 5000);
  assertEquals(play(ends, 9999, 500).at(-1), "600 over 3");
});

Deno.test("ContainerRun crashes on request, at random, or with its node", () => {
  const run = container();
  assertEquals(run.crash(0, 3), false);
  run.begin(0);
  run.advance(500);
  assertEquals([run.crash(600, 3), run.state, run.lastRun?.exitCode], [true, "restarting", 3]);
  run.reboot(650);
  assertEquals([run.advance(650), run.state], [750, "restarting"]);
  run.advance(750);
  run.reboot(800);
  assertEquals([run.state, run.lastRun?.exitCode], ["restarting", 255]);
  const lost = container();
  lost.lose(5);
  assertEquals([lost.state, lost.lastRun?.exitCode, lost.lastRun?.finishedAtMs], [
    "restarting",
    255,
    5,
  ]);
  const skipped = container();
  skipped.skip(5);
  assertEquals([skipped.state, skipped.lastRun?.exitCode, skipped.overAtMs], ["over", 0, 5]);
  const unlucky = container({}, { meanTimeToCrashMs: 1000 });
  unlucky.begin(0);
  // The time is -ln(1 - 0.5) of the mean.
  assertEquals(play(unlucky, 800).at(-1), "793 restarting 1");
});

Deno.test("ContainerRun is restarted by its liveness probe, whatever its policy says", () => {
  const liveness = { periodSeconds: 1, failureThreshold: 2 };
  const life = { probes: { liveness: [{ fromMs: 500, untilMs: 5000 }] } };
  const run = container(life, { probes: { liveness }, restartPolicy: "OnFailure" });
  run.begin(0);
  assertEquals(play(run, 2100), [
    "0 waiting",
    "100 running",
    "150 running ready",
    "2100 restarting 137",
  ]);
  const never = container(life, { probes: { liveness }, restartPolicy: "Never" });
  never.begin(0);
  assertEquals(play(never, 9999).at(-1), "2100 over 137");
});

Deno.test("ContainerRun waits for its startup probe, and gives up after its last try", () => {
  const startup = { periodSeconds: 1, failureThreshold: 3, initialDelaySeconds: 1 };
  const of = (untilMs: number) => {
    const run = container({ probes: { startup: [{ untilMs }] } }, { probes: { startup } });
    run.begin(0);
    return run;
  };
  const passes = of(3000);
  assertEquals(play(passes, 9999).slice(1), ["100 running", "3100 running ready"]);
  assertEquals([passes.startupMs, passes.everStartedMs], [3100, 3100]);
  const usual = container({ probes: { startup: [{}] } }, { probes: { startup: {} } });
  usual.begin(0);
  assertEquals(play(usual, 20_100).at(-1), "20100 restarting 137");
  const fails = of(3001);
  assertEquals(play(fails, 3100).slice(1), ["100 running", "3100 restarting 137"]);
  assertEquals([fails.startupMs, fails.everStartedMs], [Infinity, Infinity]);
});

Deno.test("ContainerRun is ready only while its readiness probe succeeds", () => {
  const readiness = { periodSeconds: 1, failureThreshold: 2 };
  const run = container({
    readyAfterMs: 1500,
    probes: { readiness: [{ fromMs: 5000, untilMs: 8000 }] },
  }, { probes: { readiness } });
  run.begin(0);
  assertEquals(play(run, 20_000).slice(1), [
    "100 running",
    "2100 running ready",
    "6100 running",
    "8100 running ready",
  ]);
});

Deno.test("probeChanges() asks at regular times, and joins failures that overlap", () => {
  const changes = (
    failures: { fromMs?: number; untilMs?: number }[],
    { isGood = true, fromMs = 0 } = {},
    probe = {},
  ) =>
    probeChanges({ periodSeconds: 1, failureThreshold: 2, ...probe }, failures, { isGood, fromMs })
      .map(({ atMs, isGood }) => `${atMs} ${isGood}`).join();
  assertEquals(changes([], { isGood: false }), "0 true");
  assertEquals(changes([], { isGood: false, fromMs: 1 }), "1000 true");
  assertEquals(changes([{}]), "1000 false");
  assertEquals(changes([{ untilMs: 1000 }]), "");
  assertEquals(changes([{ untilMs: 1001 }]), "1000 false,2000 true");
  assertEquals(changes([{ fromMs: 2000, untilMs: 2000 }]), "");
  assertEquals(
    changes([{ untilMs: 1000 }, { fromMs: 1000, untilMs: 2000 }]),
    "1000 false,2000 true",
  );
  assertEquals(
    changes([{ fromMs: 500, untilMs: 3000 }, { untilMs: 1000 }]),
    "1000 false,3000 true",
  );
  assertEquals(changes([{ untilMs: 9000 }, { untilMs: 1000 }]), "1000 false,9000 true");
  assertEquals(
    changes([{ fromMs: 1000, untilMs: 5000 }], {}, { successThreshold: 3 }),
    [
      "2000 false",
      "7000 true",
    ].join(),
  );
  assertEquals(changes([{}], {}, { initialDelaySeconds: 5 }), "6000 false");
});

Deno.test("lifeOf() takes the last rule that fits, and exitOf() each exit as often as it says", () => {
  const defaults = {
    startDelayMs: 1,
    readyDelayMs: 2,
    stopDelayMs: 3,
    outcome: { afterMs: 5, exitCode: 6 },
    lives: [
      {
        readyAfterMs: 10,
        exits: [{ afterMs: 1, exitCode: 1, times: 2 }, { afterMs: 2, exitCode: 0 }],
      },
      { container: "b", readyAfterMs: 20 },
      { selector: "app=web", startAfterMs: 30, stopAfterMs: undefined },
    ],
  };
  const pod = (labels: object) => ({ metadata: { labels } }) as never;
  const life = (labels: object, name: string, runsToEnd = false, lives = defaults.lives) =>
    lifeOf(pod(labels), { name, image: "web:1", runsToEnd }, { ...defaults, lives });
  const times = ({ readyAfterMs, startAfterMs, stopAfterMs }: ContainerLife) =>
    [startAfterMs, readyAfterMs, stopAfterMs].join();
  assertEquals([times(life({}, "a")), times(life({}, "b"))], ["1,10,3", "1,20,3"]);
  assertEquals(times(life({ app: "web" }, "b")), "30,20,3");
  // An init container that runs to its end is meant only by its name.
  assertEquals([times(life({}, "a", true)), times(life({}, "b", true))], ["1,2,3", "1,20,3"]);
  assertEquals(exitOf(life({}, "a", true), 99), { afterMs: 0, exitCode: 0, times: "always" });
  const codes = [0, 1, 2, 3].map((run) => exitOf(life({}, "a"), run)?.exitCode);
  assertEquals(codes, [1, 1, 0, undefined]);
  assertEquals(exitOf(life({}, "a", false, []), 9)?.exitCode, 6);
  const scripted = [{ container: "i", exits: [{ afterMs: 1, exitCode: 1 }] }] as never;
  const init = life({}, "i", true, scripted);
  assertEquals([0, 1, 2].map((run) => exitOf(init, run)?.exitCode), [1, 0, 0]);
  assertEquals(exitOf(init, 2), { afterMs: 0, exitCode: 0, times: "always" });
});

Deno.test("lifeOf() finds the rules of a Pod by its namespace, name, controller and image", () => {
  const controller = {
    apiVersion: "batch/v1",
    kind: "Job",
    name: "backup-1",
    uid: "u",
    controller: true,
  };
  const owned = {
    metadata: { namespace: "shop", name: "web-1", ownerReferences: [controller] },
  } as unknown as Pod;
  const alone = { metadata: { namespace: "shop", name: "web-1" } } as unknown as Pod;
  const fits = (rule: PodLife, pod: Pod = owned) =>
    lifeOf(pod as never, { name: "main", image: "reg/web:1", runsToEnd: false }, {
      startDelayMs: 0,
      readyDelayMs: 0,
      stopDelayMs: 0,
      outcome: undefined,
      lives: [{ ...rule, startAfterMs: 1 }],
    }).startAfterMs === 1;
  const yes: PodLife[] = [
    {},
    { namespace: "shop" },
    { name: "web-*", namespace: "*" },
    { owner: "Job/backup-*" },
    { owner: "Job/*", image: "*:1" },
    { container: "main" },
  ];
  const no: PodLife[] = [
    { namespace: "sho" },
    { name: "web" },
    { owner: "Job/web*" },
    { image: "web:1" },
    { name: "web-1", owner: "ReplicaSet/*" },
  ];
  assertEquals(yes.map((rule) => fits(rule)), yes.map(() => true));
  assertEquals(no.map((rule) => fits(rule)), no.map(() => false));
  assertEquals([fits({ owner: "*" }, alone), fits({ owner: "Job/*" }, alone)], [true, false]);
});

Deno.test("requireLives() names fields that are unknown, are missing or have another type", () => {
  for (
    const [lives, message] of [
      [{}, "file must be a list: received an object"],
      [["x"], "file[0] must be an object: received a string"],
      [[{ exit: [] }], "file[0].exit is unknown: expected one of selector, namespace, name"],
      [[{ exits: {} }], "file[0].exits must be a list"],
      [[{ exits: [{ afterMs: 1 }] }], "file[0].exits[0].exitCode is missing"],
      [[{ exits: [{ afterMs: "1", exitCode: 1 }] }], "received the text "],
      [[{ exits: [{ afterMs: 1, exitCode: 1.5 }] }], "exitCode must be a whole number"],
      [
        [{ exits: [{ afterMs: 1, exitCode: 1, times: "x" }] }],
        'times must be a number of runs, or "always"',
      ],
      [[{ name: 1 }], "file[0].name must be a text: received 1"],
      [[{ stuck: {} }], "file[0].stuck.reason is missing"],
      [[{ ports: [{ port: 1, body: null }] }], "file[0].ports[0].body must be a text"],
      [[{ usage: { cpu: "1", memory: "much" } }], "file[0].usage.memory must be a quantity"],
      [[JSON.parse('{"__proto__":1}')], "file[0].__proto__ is unknown"],
    ] as const
  ) assertThrows(() => requireLives(lives, "file"), TypeError, message);
  for (const exitCode of [-1, 256]) {
    const lives = [{ exits: [{ afterMs: 0, exitCode }] }];
    assertThrows(() => requireLives(lives), RangeError, "an exit code from 0 to 255");
  }
});

Deno.test("requireLives() names values that are not times", () => {
  for (
    const [life, message] of [
      [{ startAfterMs: -1 }, "lives[1].startAfterMs must be a number of milliseconds: received -1"],
      [{ readyAfterMs: Infinity }, "lives[1].readyAfterMs must be"],
      [{ stopAfterMs: NaN }, "lives[1].stopAfterMs must be"],
      [{ exits: [{ afterMs: -1, exitCode: 0 }] }, "lives[1].exits[0].afterMs must be"],
      [{ logs: [{ afterMs: -1, text: "" }] }, "lives[1].logs[0].afterMs must be"],
      [{ logs: [{ everyMs: 0.5, text: "" }] }, "lives[1].logs[0].everyMs must be at least 1"],
      [{ probes: { liveness: [{ fromMs: -1 }] } }, "lives[1].probes.liveness[0].fromMs must be"],
      [{ probes: { startup: [{ untilMs: -1 }] } }, "lives[1].probes.startup[0].untilMs must be"],
    ] as const
  ) assertThrows(() => requireLives([{}, life as never]), RangeError, message);
  assertThrows(() => requireLives([{ selector: "a in" }]), SyntaxError);
  requireLives([{
    startAfterMs: 0,
    logs: [{ everyMs: 1, text: "" } as never],
    probes: { readiness: [{ untilMs: Infinity }] },
  }]);
});
