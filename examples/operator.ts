/**
 * An operator, as it runs in a cluster: Databases, each with a Deployment, a Service and a bucket for its backups.
 *
 * The example shows a finalizer for what is outside of the cluster, an admission webhook that mutates and validates, leader
 * election, probes and metrics, Events, owned objects that are repaired, a status with a condition, and a timed requeue.
 * The bucket is in a pretended cloud.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/operator.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/operator.ts --kubeconfig FILE
 * ```
 *
 * To run it in a cluster, with webhooks and two replicas, use the files in `deploy/`. `--print` makes parts of them:
 *
 * ```sh
 * deno run examples/operator.ts --print rbac
 * ```
 *
 * @module
 */

import {
  type Cached,
  type ControllerHandle,
  defineResource,
  Deployments,
  isStatusConditionTrue,
  type Logger,
  Manager,
  Services,
} from "@kubeloop/controller";
import { admission, type AdmissionHandler } from "@kubeloop/controller/webhooks";
import type { ObjectOf } from "@kubeloop/controller/types";
import { operatorLife } from "./_operator_life.ts";
import { runExample, runManager, type Session } from "./_session.ts";

/** The custom resource `databases.demo.kubeloop.dev`. */
export const Databases = defineResource({
  group: "demo.kubeloop.dev",
  version: "v1",
  kind: "Database",
  shortNames: ["db"],
  spec: {
    type: "object",
    required: ["storageGb"],
    properties: {
      version: { type: "integer", minimum: 12, description: "Default: the latest." },
      replicas: { type: "integer", minimum: 0, maximum: 9, default: 1 },
      storageGb: { type: "integer", minimum: 1 },
    },
  },
  status: {
    type: "object",
    properties: { ready: { type: "integer" }, bucket: { type: "string" } },
  },
  columns: [
    { name: "Version", type: "integer", jsonPath: ".spec.version" },
    { name: "Ready", type: "integer", jsonPath: ".status.ready" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/** A Database, as the server returns it. */
export type Database = ObjectOf<typeof Databases>;

const LATEST = 18;

/** The webhook: sets the version of new Databases, keeps it unchanged afterwards, and refuses changes that lose data. */
export const databasePolicy: AdmissionHandler = admission(Databases, {
  mutate: ({ object: { spec } }) => {
    spec.version ??= LATEST;
  },
  validate: ({ object: { spec }, oldObject: { spec: old = spec } = {}, warn }) => {
    if ((spec.version ?? LATEST) < LATEST - 4) warn(`version ${spec.version} is not maintained`);
    return [
      ...old.storageGb > spec.storageGb
        ? [{ field: "spec.storageGb", message: `cannot shrink from ${old.storageGb}` }]
        : [],
      ...(old.version ?? 0) > (spec.version ?? LATEST)
        ? [{ field: "spec.version", message: `cannot go back from ${old.version}` }]
        : [],
    ];
  },
});

/** Buckets outside of the cluster: the place of a cloud's SDK. The calls may be repeated, and tell what they changed. */
export class Cloud {
  readonly #buckets = new Set<string>();

  createBucket(name: string): Promise<boolean> {
    const isNew = !this.#buckets.has(name);
    this.#buckets.add(name);
    return Promise.resolve(isNew);
  }

  deleteBucket(name: string): Promise<boolean> {
    return Promise.resolve(this.#buckets.delete(name));
  }
}

/** Declares the controller of Databases. */
export function databaseController(manager: Manager, cloud: Cloud): ControllerHandle {
  return manager.controller(Databases, { workers: 4 })
    .owns(Deployments)
    .owns(Services)
    .finalizer("demo.kubeloop.dev/bucket", {
      apply: async ({ object, log }) => {
        if (await cloud.createBucket(bucketOf(object))) log.info(`created ${bucketOf(object)}`);
      },
      cleanup: async ({ object, log }) => {
        if (await cloud.deleteBucket(bucketOf(object))) log.info(`deleted ${bucketOf(object)}`);
      },
    })
    .reconcile(async ({ object, name, apply, status, event }) => {
      const { version = LATEST, replicas } = object.spec;
      const labels = { database: name };
      const container = { name: "main", image: `postgres:${version}` };
      const deployment = await apply(Deployments, {
        metadata: { name },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      });
      await apply(Services, {
        metadata: { name },
        spec: { selector: labels, ports: [{ port: 5432 }] },
      });

      const ready = deployment.status?.readyReplicas ?? 0;
      const isUp = ready === replicas;
      const message = `${ready} of ${replicas} replicas are ready`;
      const wasUp = isStatusConditionTrue(object.status?.conditions, "Available");
      if (isUp !== wasUp) event(isUp ? "Normal" : "Warning", isUp ? "Up" : "Degraded", message);
      status({ ready, bucket: bucketOf(object) })
        .condition("Available", isUp ? "True" : "False", isUp ? "AllReady" : "Waiting", message);
      // Looks after what no event tells: the cloud.
      return { requeueAfterMs: 60_000 };
    });
}

function bucketOf({ metadata }: Cached<Database>): string {
  return `backups-${metadata.namespace}-${metadata.name}`;
}

type Replica = Pick<Session, "client" | "namespaces" | "http" | "webhooks"> & {
  logger: Logger;
  see?: boolean;
};

/** Returns one replica of the operator. */
export function databaseOperator(session: Replica, cloud = new Cloud()): Manager {
  const { client, namespaces, logger, http, see, webhooks } = session;
  const { namespace = client.namespace ?? "default" } = webhooks?.service ?? {};
  const manager = new Manager(client, {
    name: "databases",
    definitions: [Databases],
    leaderElection: { name: "databases", namespace },
    namespaces,
    logger,
    http,
    see,
    webhooks,
  });
  if (webhooks !== undefined) manager.webhooks.add(databasePolicy);
  databaseController(manager, cloud);
  return manager;
}

if (import.meta.main) {
  await runExample(
    "Runs Databases, with backups in a cloud.",
    operatorLife,
    (session) => runManager(databaseOperator(session), session, [Databases]),
  );
}
