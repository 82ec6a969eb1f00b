/** The faults from the field: each finds a controller that does not expect it, and leaves one alone that does. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  Controller,
  controllerReference,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  SharedInformerFactory,
} from "../../mod.ts";
import {
  act,
  assertClean,
  create,
  type Plan,
  type PlanFault,
  type Process,
  type ProcessEnv,
  remove,
  type Scene,
  settle,
  simulation,
  type SimulationOptions,
  upgrade,
} from "../../src/testing/simulation/mod.ts";
import { Widgets } from "./_operators.ts";

const CALL = { namespace: "default" };
const WORKLOAD = [create(ConfigMaps, "want-a"), settle(), create(ConfigMaps, "want-b"), settle()];

/** Calls `work` every five seconds, and logs what it throws. */
async function everyFiveSeconds(
  { clock, logger, signal }: ProcessEnv<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error) => logger.error(error));
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(resolve, 5000);
      signal.addEventListener("abort", () => {
        timer.cancel();
        resolve();
      });
    });
  }
}

async function names({ client }: ProcessEnv<unknown>, prefix: string): Promise<string[]> {
  const { items } = await client.list(ConfigMaps, CALL);
  return items.map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

async function make(
  { client }: ProcessEnv<unknown>,
  name: string,
  owner?: Cached<KubeObject>,
): Promise<void> {
  const ownerReferences = owner === undefined ? [] : [controllerReference(owner, Widgets)];
  await client.create(ConfigMaps, { metadata: { name, ownerReferences } }, CALL).catch((error) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

async function unmake({ client }: ProcessEnv<unknown>, name: string): Promise<void> {
  await client.delete(ConfigMaps, name, CALL).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Returns a program that makes `have-x` for each `want-x`, and removes the others. */
function keeper(
  wanted: (env: ProcessEnv<unknown>) => Promise<string[]>,
  create = make,
  remove = unmake,
): Process<unknown> {
  return (env) =>
    everyFiveSeconds(env, async () => {
      const want = await wanted(env);
      const have = await names(env, "have-");
      for (const name of want) if (!have.includes(name)) await create(env, `have-${name}`);
      for (const name of have) if (!want.includes(name)) await remove(env, `have-${name}`);
    });
}

const right = keeper((env) => names(env, "want-"));

/** Runs the derived plans with a kind of fault. */
async function explore<C = undefined>(
  fault: PlanFault["fault"],
  options: Partial<SimulationOptions<C>> & { readonly process: Process<unknown> },
  which: (fault: PlanFault) => boolean = () => true,
) {
  const sim = simulation<C>({ workload: WORKLOAD, ...options });
  const plans: Plan[] = [];
  for (const plan of await sim.singles()) {
    const [only, ...others] = plan.faults;
    if (only?.fault === fault && others.length === 0 && which(only)) plans.push(plan);
  }
  assert(plans.length > 0, "no plan has the fault");
  return await sim.explore({ plans, budget: { ms: Infinity } });
}

Deno.test("a failed list that is taken for an empty one is found", async () => {
  const world = { cloud: () => ({ most: 0 }) };
  const always = [({ server, cloud }: Scene<{ most: number }>) => {
    const { length } = server.objects(ConfigMaps)
      .filter(({ metadata }) => metadata.name?.startsWith("have-"));
    cloud.most = Math.max(cloud.most, length);
    return length === cloud.most || "what is wanted is gone";
  }];
  const blind = keeper((env) => names(env, "want-").catch(() => []));
  const { findings: [finding] } = await explore("read", { process: blind, world, always });
  assertEquals(finding?.record.wrong[0]?.message, "what is wanted is gone");
  assertClean(await explore("read", { process: right, world, always }));
});

Deno.test("a create that is given up after three refusals is found", async () => {
  const tries = new Map<string, number>();
  const impatient = keeper((env) => names(env, "want-"), async (env, name) => {
    const count = (tries.get(name) ?? 0) + 1;
    tries.set(name, count);
    if (count <= 3) await make(env, name);
  });
  const process: Process<unknown> = (env) => {
    tries.clear();
    return impatient(env);
  };
  const isQuota = (fault: PlanFault) => fault.fault === "answer" && fault.code === 403;
  const { findings: [finding] } = await explore("answer", { process }, isQuota);
  assertEquals(finding?.record.wrong[0]?.oracle, "end state");
  assertClean(await explore("answer", { process: right }, isQuota));
});

Deno.test("a program that leaves something behind when it is asked to stop is found", async () => {
  const untidy: Process<unknown> = async (env) => {
    await right(env);
    await make(env, "have-stopped");
  };
  const { findings: [finding] } = await explore("stop", {
    process: untidy,
    always: [
      ({ server }) => server.get(ConfigMaps, "have-stopped", "default") === undefined || "left",
    ],
  });
  assertEquals(finding?.record.wrong[0]?.message, "left");
  assertClean(await explore("stop", { process: right }));
});

Deno.test("a loop that does not wait for what lingers is found", async () => {
  const workload = [...WORKLOAD, remove(ConfigMaps, "want-a"), settle()];
  const hasty = keeper((env) => names(env, "want-"), make, async (env, name) => {
    do await unmake(env, name); while ((await names(env, "")).includes(name));
  });
  const { findings: [finding] } = await explore("linger", {
    process: hasty,
    workload,
    limits: { requests: 500 },
  });
  assertEquals(finding?.record.wrong[0]?.oracle, "hot loop");
  assertClean(await explore("linger", { process: right, workload }));
});

Deno.test("a patient program passes outages of every kind, definitions that come late and upgrades", async () => {
  assertClean(await explore("outage", { process: right }));
  const next = keeper((env) => names(env, "want-"));
  const workload = [
    create(ConfigMaps, "want-a"),
    upgrade(next),
    create(ConfigMaps, "want-b"),
    settle(),
    upgrade(right),
    settle(),
  ];
  const sim = simulation({ process: right, workload });
  assertClean(await sim.explore({ budget: { plans: 100, ms: Infinity } }));
  const { history } = await sim.reference();
  const texts = history.moments.flatMap((one) => one.kind === "process" ? [one.text] : []);
  assertEquals(texts.filter((text) => text.includes("version")).length, 2);
  assertEquals(texts.filter((text) => text === "has stopped").length, 2);
});

Deno.test("a program that gives up when it is cut off is found", async () => {
  const proud: Process<unknown> = async (env) => {
    let failures = 0;
    const work = async () => {
      if (failures >= 3) return;
      const want = await names(env, "want-").catch((error) => {
        failures++;
        throw error;
      });
      for (const name of want) await make(env, `have-${name}`);
    };
    await everyFiveSeconds(env, work);
  };
  const { findings: [finding] } = await explore("outage", { process: proud });
  assertEquals(finding?.record.wrong[0]?.oracle, "end state");
});

/** The names of the widgets, which are what `keeper` is to make. */
async function widgetNames({ client }: ProcessEnv<unknown>): Promise<string[]> {
  const { items } = await client.list(Widgets, CALL);
  return items.map(({ metadata }) => metadata.name);
}

/** Makes `have-x` for each widget `x` that its informer has, which owns it. */
const informed: Process<unknown> = async (env) => {
  const informers = new SharedInformerFactory(env.client);
  const [widgets, maps] = [informers.informer(Widgets), informers.informer(ConfigMaps)];
  const controller = new Controller({
    informer: widgets,
    waitFor: [maps],
    async reconcile(key) {
      const widget = widgets.indexer.getByKey(key);
      if (widget !== undefined) await make(env, key.replace("default/", "have-"), widget);
    },
  });
  const enqueue = (map: unknown) => {
    const { name } = (map as ConfigMap).metadata;
    if (name?.startsWith("have-")) controller.enqueue(name.replace("have-", "default/"));
  };
  maps.addEventHandler({ onAdd: enqueue, onDelete: enqueue });
  await controller.run({ signal: env.signal });
};

/** Says who has removed a map. No widget is deleted in these workloads. */
function isKept({ writes }: Scene<unknown>): true | string {
  const last = writes().at(-1);
  const isRemoved = last?.type === "DELETED" && last.key.startsWith("default/have-");
  return !isRemoved || `${last.by} removes ${last.key}`;
}

const WIDGETS = [create(Widgets, "a"), settle(), create(Widgets, "b"), settle()];

Deno.test("a kind that is not served and taken for one without objects is found", async () => {
  const blind = keeper((env) =>
    widgetNames(env).catch((error) => {
      if (isNotFound(error)) return [];
      throw error;
    })
  );
  const options = { workload: WIDGETS, always: [isKept] };
  const { findings: [finding] } = await explore("definition", { ...options, process: blind });
  assertEquals(finding?.plan.faults[0]?.fault, "definition");
  assertEquals(finding?.record.wrong[0]?.message, "operator removes default/have-a");
  for (const process of [keeper(widgetNames), informed]) {
    assertClean(await explore("definition", { ...options, process }));
  }
});

Deno.test("a program that gives up when objects cannot be converted is found", async () => {
  const proud: Process<unknown> = (env) => {
    let isLost = false;
    return keeper(async () => {
      if (isLost) return [];
      return await widgetNames(env).catch((error) => {
        isLost = isNotFound(error) === false;
        throw error;
      });
    })(env);
  };
  const { findings: [finding] } = await explore("definition", {
    process: proud,
    workload: WIDGETS,
  });
  assertEquals(finding?.record.wrong[0]?.oracle, "end state");
  assertStringIncludes(JSON.stringify(finding?.plan.faults[0]), '"how":"unconverted"');
});

Deno.test("a definition that is removed and comes back is a step, as its objects go with it", async () => {
  const metadata = { name: "widgets.example.com" };
  let definition: CustomResourceDefinition | undefined;
  const workload = [
    ...WIDGETS,
    act("the chart is removed", async ({ client }) => {
      definition ??= await client.get(CustomResourceDefinitions, metadata.name);
      await client.delete(CustomResourceDefinitions, metadata.name);
    }),
    settle(),
    act("it is installed again", async ({ client }) => {
      await client.create(CustomResourceDefinitions, { metadata, spec: definition!.spec });
    }),
    create(Widgets, "c"),
    settle(),
  ];
  const { state, wrong } = await simulation({ process: informed, workload }).reference();
  assertEquals(wrong, []);
  const kept = [...state.keys()].filter((name) => /have-|widgets.example.com default/.test(name));
  assertEquals(kept.sort(), ["configmaps default/have-c", "widgets.example.com default/c"]);
  for (const fault of ["definition", "stale"] as const) {
    assertClean(await explore(fault, { process: informed, workload }));
  }
});

Deno.test("a program that ends each time is started again, and does its work", async () => {
  const once: Process<unknown> = async (env) => {
    const [want, have] = [await names(env, "want-"), await names(env, "have-")];
    for (const name of want) if (!have.includes(name)) await make(env, `have-${name}`);
    for (const name of have) if (!want.includes(name)) await unmake(env, `have-${name}`);
  };
  const sim = simulation({ process: once, workload: WORKLOAD });
  assertClean(await sim.explore({ budget: { plans: 60, ms: Infinity } }));
});

Deno.test("a heartbeat in a status does not keep a run from settling, and its value is not compared", async () => {
  const beating: Process<unknown> = (env) => {
    let beats = 0;
    return everyFiveSeconds(env, async () => {
      const { items } = await env.client.list(Widgets, CALL);
      beats++;
      for (const { metadata: { name } } of items) {
        await env.client.patchStatus(Widgets, name, { status: { ready: beats } }, CALL);
      }
    });
  };
  const sim = simulation({ process: beating, workload: [create(Widgets, "w"), settle()] });
  const { heartbeats, wrong } = await sim.reference();
  assertEquals([wrong, [...heartbeats]], [[], ["widgets.example.com default/w status.ready"]]);
  assertClean(await sim.explore({ budget: { plans: 20, ms: Infinity } }));
});
