import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import {
  assertClean,
  create,
  patch,
  type Plan,
  remove,
  type Report,
  settle,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@kubeloop/testing/simulation";
import { scaled } from "../support/seeded_runs.ts";
import { Counter, type Flaws, widgetController, Widgets } from "./_maps.ts";

type World = Counter | undefined;

function widgets(
  flaws: Flaws = {},
  options: Partial<SimulationOptions<World>> = {},
): Simulation<World> {
  return simulation<World>({
    process: widgetController(flaws),
    workload: [
      create(Widgets, "w", { spec: { size: 3 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 1 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 3 } }),
      settle(),
    ],
    ...options,
  });
}

/** Explores without a limit of real time, so that a slow machine finds the same. */
function explore(sim: Simulation<World>, plans = 600): Promise<Report> {
  return sim.explore({ budget: { plans, ms: Infinity } });
}

function oracles({ findings }: Report): string[] {
  return [...new Set(findings.flatMap(({ record }) => record.wrong.map(({ oracle }) => oracle)))];
}

Deno.test("a good controller passes every plan, and nearly every plan has an effect", async () => {
  const plans = scaled(40);
  const report = await explore(widgets(), plans);
  assertClean(report);
  assertEquals(report.plans, plans);
  assert(report.noEffect < plans / 2, `${report.noEffect} plans without effect`);
});

Deno.test("the same plan gives the same trace again, and another seed another one", async () => {
  const plan: Plan = { seed: 3, faults: [{ fault: "late" }] };
  const first = await widgets().replay(plan);
  const again = await widgets().replay(JSON.stringify(plan));
  assertEquals(first.history.hash(), again.history.hash());
  const other = await widgets().replay({ ...plan, seed: 4 });
  assert(other.history.hash() !== first.history.hash());
});

Deno.test("a delete by name on stale knowledge is found", async () => {
  const report = await explore(widgets({ deletesByName: true }));
  assertEquals(oracles(report), ["stale delete"]);
  assertStringIncludes(
    String(report),
    `because of widgets.example.com default/w at version`,
  );
});

Deno.test("what is only remembered is lost with the process, and found", async () => {
  const report = await explore(widgets({ remembers: true }));
  assertEquals(oracles(report), ["restart"]);
  assertStringIncludes(String(report), "changed something");
});

Deno.test("a controller that feeds itself is found without any fault", async () => {
  const report = await explore(widgets({ counts: true }));
  assertEquals(oracles(report)[0], "hot loop");
  assertEquals(report.findings[0]?.plan.faults, []);
  assertStringIncludes(String(report), "field status.seen");
});

Deno.test("a write that drops an entry of another client is found", async () => {
  const report = await explore(widgets({ overwrites: true }));
  assertEquals(oracles(report), ["lost entry"]);
});

Deno.test("an error that is taken for success is found", async () => {
  const report = await explore(widgets({ swallows: true }));
  assertEquals(oracles(report), ["end state"]);
});

Deno.test("an external call that is repeated after a crash is found", async () => {
  const cloud = () => new Counter();
  const sim = (calls: boolean) => widgets({ calls }, { world: { cloud } });
  const report = await explore(sim(true));
  assertEquals(oracles(report), ["end state"]);
  assertStringIncludes(String(report), "cloud");
});

Deno.test("an invariant is checked after each write", async () => {
  const always: SimulationOptions<World>["always"] = [
    ({ server }) => server.count(ConfigMaps, "default") <= 2 || "more than two ConfigMaps",
  ];
  const report = await explore(widgets({}, { always }));
  assertEquals(oracles(report), ["invariant"]);
  assertStringIncludes(String(report), "more than two ConfigMaps");
  await assertRejects(
    () => explore(widgets({}, { always })).then(assertClean),
    Error,
    "more than two ConfigMaps",
  );
});

Deno.test("an invariant that throws does not hold", async () => {
  const always = [() => {
    throw new Error("thrown by an invariant");
  }];
  const report = await explore(widgets({}, { always }));
  assertStringIncludes(String(report), "thrown by an invariant");
});

Deno.test("a process that fails is started again, until it has failed too often", async () => {
  let starts = 0;
  const good = widgetController();
  const flaky = simulation<World>({
    process: (env) => {
      if (++starts % 2 === 1) throw new Error("not today");
      return good(env);
    },
    workload: [create(Widgets, "w", { spec: { size: 1 } }), settle({ quietMs: 60_000 })],
  });
  assertEquals((await flaky.reference()).wrong, []);
  const broken = simulation({
    process: () => Promise.reject(new Error("never")),
    workload: [settle()],
  });
  const [wrong] = (await broken.reference()).wrong;
  assertEquals(wrong?.oracle, "process");
  assertStringIncludes(wrong?.message ?? "", "operator fails again and again: never");
});

Deno.test("deleted objects go with their dependents, and come back without their old ones", async () => {
  const sim = widgets({}, {
    workload: [
      create(Widgets, "w", { spec: { size: 2 } }),
      settle(),
      remove(Widgets, "w"),
      settle(),
      create(Widgets, "w", { spec: { size: 1 } }),
      settle(),
    ],
  });
  const { state } = await sim.reference();
  assertEquals([...state.keys()], [
    "configmaps default/w-0",
    "widgets.example.com default/w",
  ]);
  assertClean(await explore(sim, scaled(24)));
});

Deno.test("a finalizer that is dropped while the object is deleted is a lost entry", async () => {
  const { history, wrong } = await simulation<undefined>({
    process: async ({ client, clock }) => {
      for (;;) {
        const { items } = await client.list(Widgets, { namespace: "default" });
        for (const { metadata: { deletionTimestamp, name }, status } of items) {
          if (name === undefined) continue;
          const call = { namespace: "default" };
          if (deletionTimestamp !== undefined) {
            await client.patch(Widgets, name, { metadata: { finalizers: null } }, call);
          } else if (status?.made !== 1) {
            await client.patchStatus(Widgets, name, { status: { made: 1 } }, call);
          }
        }
        await new Promise<void>((resolve) => clock.setTimer(resolve, 1000));
      }
    },
    workload: [
      create(Widgets, "w", { spec: { size: 1 } }),
      settle(),
      remove(Widgets, "w"),
      settle(),
    ],
  }).replay({
    seed: 1,
    faults: [{
      fault: "edit",
      edit: "finalizer",
      write: "operator patch widgets.example.com/status default/w #1",
    }],
  });
  assertEquals(wrong.map(({ oracle }) => oracle), ["lost entry"], history.lines().join("\n"));
});

Deno.test("the objects that a simulation starts with are compared", async () => {
  const object = { metadata: { name: "given" }, data: { a: "1" } };
  const { state } = await widgets({}, { objects: [{ resource: ConfigMaps, object }] }).reference();
  assert(state.has("configmaps default/given"), [...state.keys()].join());
});
