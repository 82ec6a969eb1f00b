/** Things that a run without faults never brings to an end, and the later effects of timers. */

import {
  type Cached,
  ConfigMaps,
  Controller,
  defineResource,
  isNotFound,
  type KubeObject,
  type ReconcileResult,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  create,
  patch,
  type Process,
  type ProcessEnv,
  remove,
  settle,
  simulation,
  type Step,
} from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

interface Ticket extends KubeObject {
  spec?: { active?: boolean; size?: number };
  status?: { since?: string; seenGeneration?: number };
}

const Tickets = defineResource<Ticket>({
  group: "example.com",
  version: "v1",
  plural: "tickets",
  kind: "Ticket",
  namespaced: true,
});

const FINALIZER = "example.com/cleanup";

type Reconcile = (ticket: Cached<Ticket>, env: ProcessEnv) => Promise<ReconcileResult | void>;

const reconciling = (reconcile: Reconcile): Process<undefined> => async (env: ProcessEnv) => {
  const tickets = new SharedInformerFactory(env.client).informer(Tickets);
  const controller = new Controller({
    informer: tickets,
    async reconcile(key): Promise<ReconcileResult> {
      const ticket = tickets.indexer.getByKey(key);
      return ticket === undefined ? {} : await reconcile(ticket, env) ?? {};
    },
  });
  await controller.run({ signal: env.signal });
};

const simulationOf = (reconcile: Reconcile, workload: readonly Step<never>[]) =>
  simulation({ process: reconciling(reconcile), workload, resources: [Tickets] });

const call = { namespace: "default" };
const budget = { plans: 60, ms: 3_600_000 };

Deno.test("a deletion that a finalizer of the process holds for ever is found without a fault", async () => {
  const sim = simulationOf(async ({ metadata }, { client }) => {
    const { deletionTimestamp, finalizers, name } = metadata;
    if (finalizers === undefined && deletionTimestamp === undefined) {
      await client.patch(Tickets, name, { metadata: { finalizers: [FINALIZER] } }, call);
    }
  }, [create(Tickets, "t"), settle(), remove(Tickets, "t"), settle()]);
  const report = await sim.explore({ budget });
  assertEquals(report.ended, "reference");
  const text = String(report);
  assertStringIncludes(
    text,
    "The deletion of tickets.example.com default/t never ends: operator has added",
  );
  assertStringIncludes(text, "<== this deletion never ends");
});

Deno.test("a write that is refused each time is found without a fault", async () => {
  const sim = simulationOf(async ({ metadata: { name } }, { client }) => {
    const data = { count: 1 as unknown as string };
    await client.create(ConfigMaps, { metadata: { name }, data }, call);
  }, [create(Tickets, "t"), settle()]);
  const { wrong } = await sim.reference();
  assertEquals(wrong.map(({ oracle }) => oracle), ["process"]);
  assertStringIncludes(
    wrong[0]!.message,
    "operator never gets further: [operator create configmaps",
  );
});

Deno.test("a resource that is not served is named", async () => {
  const sim = simulation({
    process: reconciling(() => Promise.resolve()),
    workload: [create(ConfigMaps, "c"), settle()],
  });
  const { wrong } = await sim.reference();
  assertStringIncludes(
    wrong[0]?.message ?? "",
    "operator lists tickets.example.com again and again",
  );
});

/** Deletes a ticket a minute after it has become inactive. */
const expiring = (keepsTime: boolean): Reconcile => {
  return async ({ metadata: { name, uid }, spec, status }, { client, clock, identity }) => {
    if (spec?.active !== false) {
      if (status?.since === undefined) return {};
      await client.patchStatus(Tickets, name, { status: { since: null } } as never, call);
      return {};
    }
    const since = status?.since?.split(" ");
    if (since === undefined) {
      const text = `${clock.wallNow()} ${identity}`;
      await client.patchStatus(Tickets, name, { status: { since: text } }, call);
      return {};
    }
    // The timer of an earlier life is lost.
    if (!keepsTime && since[1] !== identity) return {};
    const leftMs = Number(since[0]) + 60_000 - clock.wallNow();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    await client.delete(Tickets, name, { ...call, preconditions: { uid } }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    return {};
  };
};

const expiringSteps = [
  create(Tickets, "t", { spec: { active: true } }),
  settle(),
  patch(Tickets, "t", { spec: { active: false } }),
  settle(),
];

const mask = (object: KubeObject) => {
  const { status: _, ...rest } = object as Ticket;
  return rest as KubeObject;
};

const expirySimulation = (keepsTime: boolean) =>
  simulation({ process: reconciling(expiring(keepsTime)), workload: expiringSteps, mask });

Deno.test("a timer that ends after a restart is not an effect of the restart", async () => {
  const report = await expirySimulation(true).explore({ budget });
  assertEquals(report.findings.length, 0, String(report));
});

Deno.test("a timer that a restart loses is found, although the workload does not wait for it", async () => {
  const record = await expirySimulation(false).try({
    seed: 1,
    faults: [{ fault: "restart", process: "operator", step: 3 }],
  });
  assertEquals(record.wrong.map(({ oracle }) => oracle), ["end state"]);
  assertStringIncludes(
    record.wrong[0]!.message,
    "tickets.example.com default/t exists, and should not",
  );
});

Deno.test("a generation in a status is compared with that of its object", async () => {
  const sim = simulationOf(async ({ metadata: { generation, name }, status }, { client }) => {
    if (status?.seenGeneration === generation) return;
    await client.patchStatus(
      Tickets,
      name,
      { status: { seenGeneration: generation } } as never,
      call,
    );
  }, [
    create(Tickets, "t", { spec: { size: 1 } }),
    settle(),
    patch(Tickets, "t", { spec: { size: 2 } }),
    settle(),
  ]);
  const { wrong } = await sim.try({
    seed: 1,
    faults: [{ fault: "repeat", step: 2, settled: true }],
  });
  assertEquals(wrong, []);
});

Deno.test("taking back the creation of an object takes its given finalizers away", async () => {
  const held = { metadata: { finalizers: ["example.com/of-someone"] } } as Partial<Ticket>;
  const sim = simulationOf(() => Promise.resolve(), [create(Tickets, "t", held), settle()]);
  const { wrong } = await sim.try({
    seed: 1,
    faults: [{ fault: "revert", step: 0, when: "settled" }],
  });
  assertEquals(wrong, []);
});

Deno.test("the last one of equal reads fails, too", async () => {
  const sim = simulationOf(async ({ metadata: { name }, status }, { client }) => {
    const found = await client.get(ConfigMaps, "limit", call).catch(() => undefined);
    const since = found === undefined ? "none" : "limit";
    if (status?.since !== since) {
      await client.patchStatus(Tickets, name, { status: { since } }, call);
    }
  }, [create(ConfigMaps, "limit"), create(Tickets, "t"), settle()]);
  const report = await sim.explore({ budget: { plans: 500, ms: 3_600_000 } });
  const [finding] = report.findings;
  assert(finding?.plan.faults.some(({ fault }) => fault === "read"), String(report));
});

Deno.test("a change that nothing follows is named", async () => {
  const sim = simulationOf(async ({ metadata: { name }, spec, status }, { client }) => {
    if (status?.since !== undefined) return;
    const metadata = { name, namespace: "default" };
    await client.apply(ConfigMaps, { metadata, data: { size: String(spec?.size) } }, {
      fieldManager: "t",
    });
    await client.patchStatus(Tickets, name, { status: { since: "now" } }, call);
  }, [
    create(Tickets, "t", { spec: { size: 1 } }),
    settle(),
    patch(Tickets, "t", { spec: { size: 2 } }),
    settle(),
  ]);
  const report = await sim.explore({ budget });
  assertStringIncludes(String(report), "that change is not carried out");
});
