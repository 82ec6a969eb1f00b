import { assert, assertEquals } from "@std/assert";
import {
  Client,
  Deployments,
  type KubeObject,
  Nodes,
  Pods,
  type Resource,
} from "../../../../mod.ts";
import {
  ControllerRevisions,
  DaemonSets,
  ReplicaSets,
  StatefulSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { CronJobs, Jobs } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { silentLogger } from "../../../../src/base/mod.ts";
import { workloadControllers } from "../../../../src/testing/actors/workloads/workload_controllers.ts";
import { EndpointsController } from "../../../../src/testing/actors/services/endpoints_controller.ts";
import { EndpointSliceController } from "../../../../src/testing/actors/services/endpoint_slice_controller.ts";
import {
  EndpointSlices,
  EndpointsResource,
  Services,
} from "../../../../src/testing/actors/services/service_kinds.ts";
import { World } from "../world.ts";
import { named, template } from "./cluster.ts";

/** Starts the controllers, without the kubelets, which only take time. */
async function started(workload?: string): Promise<World> {
  const world = new World();
  await world.create(Nodes, { metadata: { name: "n", labels: {} } });
  await world.clock.run(world.client.patch(Nodes, "n", { spec: { taints: [] } }));
  const { options } = world;
  const { fetch } = world.server;
  const client = new Client({ fetch, clock: world.clock, logger: silentLogger });
  const actors = workload === "service"
    ? [
      new EndpointsController({ ...options, client }),
      new EndpointSliceController({ ...options, client }),
    ]
    : workloadControllers(options);
  for (const actor of actors) await world.start(actor);
  return world;
}

function events(world: World, name: string): string[] {
  return (world.server.objects(EVENTS, "default") as CoreEvent[])
    .filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason);
}

type CoreEvent = KubeObject & { involvedObject: { name: string }; reason: string };

const EVENTS: Resource = {
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

const WORK = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};

function app(rest: object = {}): object {
  return { selector: { matchLabels: { app: "w" } }, template: template("w"), ...rest };
}

const WORKLOADS: Readonly<Record<string, readonly [resource: Resource, spec: object]>> = {
  deployment: [Deployments as Resource, app({ replicas: 2 })],
  set: [ReplicaSets as Resource, app({ replicas: 2 })],
  stateful: [StatefulSets as Resource, app({ replicas: 2, serviceName: "s" })],
  daemon: [DaemonSets as Resource, app()],
  job: [Jobs as Resource, { completions: 2, parallelism: 2, template: WORK }],
  cron: [CronJobs as Resource, {
    schedule: "* * * * *",
    jobTemplate: { spec: { template: WORK } },
  }],
  service: [Services as Resource, { selector: { app: "w" }, ports: [{ port: 80 }] }],
};

/** A write that fails once, its workload, and the event about it. */
const CASES = [
  ["deployment", "create replicasets", "ReplicaSetCreateError"],
  ["deployment", "create pods", "FailedCreate"],
  ["deployment", "update deployments/status", undefined],
  ["set", "create pods", "FailedCreate"],
  ["set", "update replicasets/status", undefined],
  ["stateful", "create pods", "FailedCreate"],
  ["stateful", "create controllerrevisions", undefined],
  ["stateful", "update statefulsets/status", undefined],
  ["daemon", "create pods", "FailedCreate"],
  ["daemon", "create controllerrevisions", undefined],
  ["daemon", "update daemonsets/status", undefined],
  ["job", "create pods", "FailedCreate"],
  ["job", "update jobs/status", undefined],
  ["cron", "create jobs", "FailedCreate"],
  ["cron", "update cronjobs/status", undefined],
  ["service", "create endpoints", undefined],
  ["service", "create endpointslices", undefined],
] as const;

/** The objects at the end. */
const ENDS: Readonly<Record<string, string>> = {
  deployment: "2 Pods",
  set: "2 Pods",
  stateful: "1 Pods",
  daemon: "1 Pods",
  job: "2 Pods",
  cron: "1 Pods",
  service: "0 Pods",
};

Deno.test("Workloads tell of a write that fails, and repeat it", async () => {
  for (const [workload, write, reason] of CASES) {
    await using world = await started(workload);
    const fault = world.server.faults.fail(500, {
      times: 1,
      when: ({ resource, subresource = "", verb }) =>
        `${verb} ${resource?.split(".")[0]}${subresource && `/${subresource}`}` === write,
    });
    const [resource, spec] = WORKLOADS[workload]!;
    await world.create(resource, { metadata: named("w"), spec } as never);
    await world.clock.advance(workload === "cron" ? 61_000 : 1000);
    const what = `${workload}: ${write}`;
    const end = `${world.server.objects(Pods, "default").length} Pods`;
    assertEquals([fault.hits, end], [1, ENDS[workload]], what);
    assert(world.warnings.length > 0, `${what} is not told`);
    // The others are of the Service `kubernetes`.
    const endpoints = [EndpointSlices as Resource, EndpointsResource as Resource]
      .map((one) => world.server.count(one, "default"));
    assertEquals(endpoints, workload === "service" ? [2, 2] : [1, 1], what);
    const sets = world.server.objects(ReplicaSets).map(({ metadata }) => metadata.name!);
    const told = ["w", ...sets].flatMap((name) => events(world, name));
    if (reason !== undefined) assert(told.includes(reason), `${what} has no event`);
  }
});

Deno.test("Workloads create nothing twice while their caches do not show it", async () => {
  for (
    const [workload, created, count] of [
      ["set", Pods as Resource, 2],
      ["daemon", Pods as Resource, 1],
      ["job", Pods as Resource, 2],
      // One is of the Service `kubernetes`.
      ["service", EndpointSlices as Resource, 2],
    ] as const
  ) {
    await using world = await started(workload);
    const hold = world.server.lag.hold({
      scope: "resource",
      forMs: 5000,
      times: 1,
      when: (watch, { type }) => watch.resource === created.plural && type === "ADDED",
    });
    const [resource, spec] = WORKLOADS[workload]!;
    await world.create(resource, { metadata: named("w"), spec } as never);
    await world.clock.advance(100);
    const patch: object = { metadata: { labels: { a: "b" } } };
    await world.clock.run(world.client.patch(resource, "w", patch, { namespace: "default" }));
    await world.clock.advance(100);
    const present = () => world.server.count(created, "default");
    assertEquals([hold.hits > 0, present()], [true, count], workload);
    await world.clock.advance(6000);
    assertEquals([present(), world.warnings], [count, []], workload);
  }
});

Deno.test("Workloads tell of a Pod that cannot be deleted, and try again", async () => {
  for (
    const [workload, change] of [
      ["set", { replicas: 0 }],
      ["daemon", { template: { spec: { nodeSelector: { none: "such" } } } }],
      ["job", { parallelism: 0 }],
    ] as const
  ) {
    await using world = await started(workload);
    const [resource, spec] = WORKLOADS[workload]!;
    await world.create(resource, { metadata: named("w"), spec } as never);
    await world.clock.advance(1000);
    const fault = world.server.faults.fail(500, {
      times: 1,
      when: ({ resource, verb }) => resource === "pods" && verb === "delete",
    });
    const call = { namespace: "default" };
    const patch: object = { spec: change };
    await world.clock.run(world.client.patch(resource, "w", patch, call));
    await world.clock.advance(1000);
    const left = world.server.objects(Pods, "default")
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    assertEquals([fault.hits, left.length], [1, 0], workload);
    assertEquals(world.warnings.length > 0, true, workload);
    assert(events(world, "w").includes("FailedDelete"), workload);
  }
});

Deno.test("Workloads say nothing of what cannot be created while their namespace is being deleted", async () => {
  const causes = [{ reason: "NamespaceTerminating" }];
  for (const [workload, write] of CASES) {
    if (!write.startsWith("create")) continue;
    await using world = await started(workload);
    const fault = world.server.faults.fail({
      code: 403,
      reason: "Forbidden",
      message: "it is being terminated",
      details: { causes },
    } as never, {
      when: ({ resource, verb }) => `${verb} ${resource}` === write,
    });
    const [resource, spec] = WORKLOADS[workload]!;
    await world.create(resource, { metadata: named("w"), spec } as never);
    await world.clock.advance(workload === "cron" ? 61_000 : 1000);
    const what = `${workload}: ${write}`;
    assert(fault.hits > 0, what);
    const sets = world.server.objects(ReplicaSets).map(({ metadata }) => metadata.name!);
    const told = ["w", ...sets].flatMap((name) => events(world, name));
    const failures = told.filter((reason) => reason.includes("Fail") || reason.includes("Error"));
    // The Events of the Pods of a StatefulSet tell of every failure. What is not a Pod is tried again.
    if (workload !== "stateful") assertEquals(failures, [], what);
    if (!/replicasets|revisions/.test(write)) assertEquals(world.warnings, [], what);
  }
});

Deno.test("A Deployment says why it has no ReplicaSet, until it has one", async () => {
  await using world = await started();
  const fault = world.server.faults.fail(403, {
    when: ({ resource, verb }) => verb === "create" && resource === "replicasets",
  });
  await world.create(Deployments as Resource, {
    metadata: named("w"),
    spec: app({ replicas: 1, progressDeadlineSeconds: 600 }),
  } as never);
  await world.clock.advance(2000);
  const progress = () => {
    const { status } = world.server.get(Deployments as Resource, "w", "default") as {
      status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
    };
    const found = status?.conditions?.find(({ type }) => type === "Progressing");
    return `${found?.status} ${found?.reason} ${found?.message.slice(0, 34)}`;
  };
  assertEquals(progress(), 'False ReplicaSetCreateError Failed to create new replica set "');
  fault.remove();
  await world.clock.advance(10_000);
  assertEquals(progress().split(" ").slice(0, 2), ["True", "ReplicaSetUpdated"]);
});

Deno.test("Workloads whose hash belongs to another template take another one", async () => {
  const workloads = [
    [Deployments as Resource, "w", app({ replicas: 1 }), ReplicaSets as Resource, {
      spec: { selector: { matchLabels: { app: "x" } }, template: template("x"), replicas: 0 },
    }],
    [
      StatefulSets as Resource,
      "w",
      app({ replicas: 1, serviceName: "s" }),
      ControllerRevisions as Resource,
      { data: { spec: {} }, revision: 1 },
    ],
    [DaemonSets as Resource, "w", app(), ControllerRevisions as Resource, {
      data: { spec: {} },
      revision: 1,
    }],
  ] as const;
  for (const [resource, name, spec, ofHash, other] of workloads) {
    await using first = await started();
    await first.create(resource, { metadata: named(name), spec } as never);
    await first.clock.advance(1000);
    const hashed = first.names(ofHash, "default");
    await using world = await started();
    // An object of the same name without an owner.
    await world.create(ofHash, { metadata: named(hashed), ...other } as never);
    await world.create(resource, { metadata: named(name), spec } as never);
    await world.clock.advance(1000);
    const { status } = world.server.get(resource, name, "default") as {
      status?: { collisionCount?: number };
    };
    assertEquals(status?.collisionCount, 1, resource.kind);
    assertEquals(world.server.objects(Pods, "default").length, 1, resource.kind);
    const names = world.names(ofHash, "default").split(" ");
    assertEquals([names.length, names.includes(hashed)], [2, true]);
  }
});
