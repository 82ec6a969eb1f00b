/**
 * Checks that ordinary manifests compile against the types that a program imports, and that they use every field of their
 * kinds. The API server accepts them too, in full.
 *
 * The manifests are in `manifests/`, typed literals. The fields come from the Go types of all versions of Kubernetes that
 * the types cover. The status is the server's: no manifest has one.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import {
  Client,
  Deployments,
  Jobs,
  type KubeObject,
  Namespaces,
  Pods,
  ReplicaSets,
  type Resource,
  Services,
  SharedInformer,
} from "@kubeloop/controller";
import { DaemonSets, StatefulSets } from "@kubeloop/controller/types/apps/v1";
import { HorizontalPodAutoscalers as HorizontalPodAutoscalersV1 } from "@kubeloop/controller/types/autoscaling/v1";
import { HorizontalPodAutoscalers } from "@kubeloop/controller/types/autoscaling/v2";
import { CronJobs } from "@kubeloop/controller/types/batch/v1";
import { PersistentVolumeClaims } from "@kubeloop/controller/types/core/v1";
import { Ingresses } from "@kubeloop/controller/types/networking/v1";
import { RuntimeClasses } from "@kubeloop/controller/types/node/v1";
import {
  ClusterRoleBindings,
  ClusterRoles,
  RoleBindings,
  Roles,
} from "@kubeloop/controller/types/rbac/v1";
import { type KubernetesMinor, MINOR_VERSIONS } from "../../src/testing/api_server/release/mod.ts";
import { schemasOf } from "../../src/testing/api_server/schema/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { silentLogger } from "../../src/base/mod.ts";
import * as autoscalers from "./manifests/autoscalers.ts";
import * as claims from "./manifests/claims.ts";
import * as jobs from "./manifests/jobs.ts";
import * as pods from "./manifests/pods.ts";
import * as rbac from "./manifests/rbac.ts";
import * as services from "./manifests/services.ts";
import * as workloads from "./manifests/workloads.ts";

/** The manifests of each kind, by the name of its struct in Go. */
const MANIFESTS: Readonly<Record<string, readonly KubeObject[]>> = {
  "core.Pod": Object.values(pods),
  "apps.Deployment": [
    workloads.web,
    workloads.worker,
    workloads.ingressController,
    workloads.operator,
    workloads.dashboard,
  ],
  "apps.ReplicaSet": [workloads.replicas],
  "apps.StatefulSet": [workloads.database, workloads.queue],
  "apps.DaemonSet": [workloads.nodeExporter, workloads.logs],
  "batch.Job": [
    jobs.migration,
    jobs.indexed,
    jobs.suspended,
    jobs.adopted,
    jobs.gang,
    jobs.single,
  ],
  "batch.CronJob": [jobs.backup, jobs.report],
  "core.Service": [
    services.web,
    services.headless,
    services.nodePort,
    services.loadBalancer,
    services.dualStack,
    services.sticky,
    services.alias,
  ],
  "networking.Ingress": [services.site, services.fallback, services.bucket],
  "core.PersistentVolumeClaim": Object.values(claims),
  "rbac.Role": [rbac.reader, rbac.leaderElection],
  "rbac.ClusterRole": [rbac.operator, rbac.aggregated],
  "rbac.RoleBinding": [rbac.readers],
  "rbac.ClusterRoleBinding": [rbac.operators],
  "autoscaling.HorizontalPodAutoscaler": [autoscalers.simple],
  "autoscaling/v2.HorizontalPodAutoscaler": [autoscalers.cpu, autoscalers.requests],
};

/** The resource of each kind. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  "core.Pod": Pods,
  "apps.Deployment": Deployments,
  "apps.ReplicaSet": ReplicaSets,
  "apps.StatefulSet": StatefulSets,
  "apps.DaemonSet": DaemonSets,
  "batch.Job": Jobs,
  "batch.CronJob": CronJobs,
  "core.Service": Services,
  "networking.Ingress": Ingresses,
  "core.PersistentVolumeClaim": PersistentVolumeClaims,
  "rbac.Role": Roles,
  "rbac.ClusterRole": ClusterRoles,
  "rbac.RoleBinding": RoleBindings,
  "rbac.ClusterRoleBinding": ClusterRoleBindings,
  "autoscaling.HorizontalPodAutoscaler": HorizontalPodAutoscalersV1,
  "autoscaling/v2.HorizontalPodAutoscaler": HorizontalPodAutoscalers,
};

/** Fields of `metadata` that the server sets, or that it ignores. */
const OF_THE_SERVER: ReadonlySet<string> = new Set(
  ("creationTimestamp deletionGracePeriodSeconds deletionTimestamp generation managedFields resourceVersion " +
    "selfLink uid").split(" "),
);

/** Fields that an ephemeral container has in common with a container, but that the server refuses. */
const NOT_EPHEMERAL: ReadonlySet<string> = new Set(
  ("lifecycle livenessProbe ports readinessProbe resizePolicy resources restartPolicy restartPolicyRules " +
    "startupProbe").split(" "),
);

type Struct = ReturnType<ReturnType<typeof schemasOf>["struct"]>;
type Type = Struct["fields"] extends ReadonlyMap<string, { readonly type: infer T }> ? T : never;

/** Calls `visit` for each struct with each value of it in `value`. */
function walk(type: Type, value: unknown, visit: (struct: Struct, value: object) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (type.kind === "list" || type.kind === "map") {
    const below = type.kind === "list" ? type.item : type.value;
    for (const one of Object.values(value)) walk(below, one, visit);
  } else if (type.kind === "struct") {
    visit(type, value);
    const fields = new Map(Object.entries(value));
    for (const { name, type: below } of type.fields.values()) walk(below, fields.get(name), visit);
  }
}

/** Returns the fields that the manifests use, as in `core.Pod spec`. */
function usedFields(minor: KubernetesMinor): Set<string> {
  const used = new Set<string>();
  for (const [kind, manifests] of Object.entries(MANIFESTS)) {
    for (const manifest of manifests) {
      walk(schemasOf(minor).struct(kind), manifest, (struct, value) => {
        for (const name of Object.keys(value)) used.add(`${struct.id} ${name}`);
      });
    }
  }
  return used;
}

/** Returns the fields that a manifest of a kind can have, with the shortest path to each. */
function allFields(minor: KubernetesMinor): Map<string, string> {
  const all = new Map<string, string>();
  let structs = Object.keys(MANIFESTS).map((kind): [type: Type, path: string] => [
    schemasOf(minor).struct(kind),
    kind,
  ]);
  while (structs.length > 0) {
    const next: typeof structs = [];
    for (const [struct, path] of structs) {
      if (struct.kind !== "struct") continue;
      for (const field of struct.fields.values()) {
        const isUnusable = field.name === "status" && Object.hasOwn(MANIFESTS, struct.id ?? "") ||
          struct.id === "meta.ObjectMeta" && OF_THE_SERVER.has(field.name) ||
          struct.id === "core.EphemeralContainer" && NOT_EPHEMERAL.has(field.name);
        const name = `${struct.id} ${field.name}`;
        if (isUnusable || all.has(name)) continue;
        all.set(name, `${path}.${field.name}`);
        let { type } = field;
        while (type.kind === "list" || type.kind === "map") {
          type = type.kind === "list" ? type.item : type.value;
        }
        next.push([type, `${path}.${field.name}`]);
      }
    }
    structs = next;
  }
  return all;
}

Deno.test("Sixty ordinary manifests use every field of their kinds", () => {
  assert(Object.values(MANIFESTS).flat().length >= 60);
  for (const minor of MINOR_VERSIONS) {
    const used = usedFields(minor);
    const missing = [...allFields(minor)].filter(([name]) => !used.has(name));
    assertEquals(missing.map(([, path]) => path), [], `Kubernetes ${minor}`);
  }
});

Deno.test("The API server accepts the manifests, knows each of their fields, and caches have them in protobuf as in JSON", async () => {
  const left = new Map<KubeObject, string>();
  // The first version has fields that the second one has no more, and the other way round.
  for (const kubernetes of ["1.35", "1.37"] as const) {
    await using server = new ApiServer({ kubernetes });
    await using client = new Client({ ...server.clientOptions, logger: silentLogger });
    for (const name of ["ingress", "widgets", "monitoring", "logging"]) {
      await client.create(Namespaces, { metadata: { name } });
    }
    await client.create(RuntimeClasses, {
      metadata: { name: "gvisor" },
      handler: "runsc",
      overhead: { podFixed: { cpu: "250m", memory: "64Mi" } },
    });
    for (const [kind, manifests] of Object.entries(MANIFESTS)) {
      for (const manifest of manifests) {
        // Ephemeral containers are added by a subresource.
        if (kubernetes === "1.37" && !left.has(manifest) || manifest === pods.debugged) continue;
        try {
          await client.create(RESOURCES[kind]!, manifest, { fieldValidation: "Strict" });
          left.delete(manifest);
        } catch (error) {
          left.set(manifest, String(error));
        }
      }
    }
    for (const resource of Object.values(RESOURCES)) await assertSameEncodings(client, resource);
  }
  assertEquals([...left.values()], []);
});

/** Asserts that an informer, which is answered in protobuf, caches the objects as a list in JSON has them. */
async function assertSameEncodings(client: Client, resource: Resource): Promise<void> {
  const informer = new SharedInformer(client.listerWatcher(resource), { resource });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await informer.whenSynced();
  const { items } = await client.list(resource);
  const cached = new Map(informer.indexer.list().map((one) => [one.metadata.uid, one]));
  assert(informer.snapshot().objectBytes !== undefined);
  for (const item of items) assertEquals<unknown>(cached.get(item.metadata.uid), item);
  stop.abort();
  await running;
}
