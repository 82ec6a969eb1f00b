// Compiles: the operator of the README, with each property of its objects.

import {
  type Client,
  defineResource,
  type Deployment,
  Deployments,
  Manager,
} from "@kubeloop/controller";
import type { ApplyConfiguration, Cached, ObjectOf } from "@kubeloop/controller";
import { z } from "zod";
import { same } from "./_same.ts";

declare const client: Client;
declare const signal: AbortSignal;
declare function deleteBucket(key: string, signal: AbortSignal): Promise<void>;

const Widgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: z.object({ size: z.int().min(1).default(1), image: z.string() }),
  status: z.object({ ready: z.int() }),
  rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
});

function deploymentFor(
  { metadata, spec }: Cached<ObjectOf<typeof Widgets>>,
): ApplyConfiguration<Deployment> {
  same<[typeof metadata.name, typeof spec.size, typeof spec.image], [string, number, string]>(true);
  return { metadata: { name: metadata.name }, spec: { replicas: spec.size } };
}

const manager = new Manager(client, {
  definitions: [Widgets],
  leaderElection: { name: "widgets" },
  http: { port: 8080 },
});
manager.controller(Widgets)
  .owns(Deployments)
  .finalizer("acme.io/bucket", { cleanup: ({ key, signal }) => deleteBucket(key, signal) })
  .reconcile(async ({ object, apply, status }) => {
    const deployment = await apply(Deployments, deploymentFor(object));
    const ready = deployment.status?.readyReplicas ?? object.status?.ready ?? 0;
    status({ ready }).condition("Available", ready > 0 ? "True" : "False", "Counted");
  });
await manager.run({ signal });
