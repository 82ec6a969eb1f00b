/**
 * The scenario of `operator.ts` on the in-process server: who creates, breaks and deletes Databases.
 *
 * @module
 */

import {
  type Client,
  Deployments,
  installDefinitions,
  isInvalid,
  Leases,
  type Manager,
} from "@kubeloop/controller";
import {
  admissionConfigurations,
  EventsV1,
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
} from "@kubeloop/controller/operator";
import { databaseOperator, databasePolicy, Databases } from "./operator.ts";
import { pause } from "./_pod_life.ts";
import type { Life } from "./_session.ts";

const STEP_MS = 300;

/** Makes the server call the webhook. On a cluster, the operator does that, with certificates of its own. */
async function installPolicy(client: Client): Promise<void> {
  const target = { service: { namespace: "databases", name: "databases" } };
  const call = { name: "databases", target, caBundle: "" };
  const { mutating, validating } = admissionConfigurations([databasePolicy], call);
  if (mutating) await client.create(MutatingWebhookConfigurations, mutating);
  if (validating) await client.create(ValidatingWebhookConfigurations, validating);
}

/** Starts another replica, and waits until it leads. */
async function startFirst(client: Client, signal: AbortSignal): Promise<Manager> {
  const print = (message: string) => console.log(`[first replica] ${message}`);
  const logger = { debug: () => {}, info: print, warn: print, error: print };
  const none = { namespaces: undefined, http: undefined, webhooks: undefined };
  const first = databaseOperator({ client, logger, ...none });
  first.run({ signal }).catch((error) => console.error(error));
  await client.waitFor(Leases, "databases", (lease) => lease?.spec?.holderIdentity !== undefined, {
    namespace: "default",
    signal,
  });
  return first;
}

/** The replica that leads at first. */
let first: Manager | undefined;

/** Returns how many reconciles it has made, as its metrics tell. */
async function reconciles(): Promise<string | undefined> {
  const metrics = await first?.handler(new Request("http://pod/metrics"));
  const name = 'controller_runtime_reconcile_time_seconds_count{controller="database"} ';
  return (await metrics?.text())?.split("\n").find((line) => line.startsWith(name))
    ?.slice(name.length);
}

/** Creates a Database, starts its Pods, breaks what it owns, stops the leader, and deletes the Database. */
export const operatorLife: Life = {
  webhooks: (request) => databasePolicy(request),
  before: async ({ client, signal }) => {
    await installDefinitions(client, [Databases], { signal });
    await installPolicy(client);
    first = await startFirst(client, signal);
  },
  async during({ client, signal }) {
    const call = { namespace: "default", signal };
    const say = async () => {
      await pause(STEP_MS, signal);
      const { spec, status } = await client.get(Databases, "orders", call);
      const [{ reason, message } = {}] = status?.conditions ?? [];
      console.log(`# version ${spec.version}: ${reason}, ${message}; ${status?.bucket}`);
    };
    /** Sets the status of the Deployment, as the controllers of a cluster do. */
    const run = (readyReplicas: number) =>
      client.patchStatus(Deployments, "orders", { status: { replicas: 2, readyReplicas } }, call);

    console.log("# a Database is created; the webhook sets its version");
    const spec = { storageGb: 10, replicas: 2 };
    await client.create(Databases, { metadata: { name: "orders" }, spec }, call);
    await say();
    console.log("# its Pods start");
    await run(2);
    await say();
    console.log("# somebody wants less storage");
    await client.patch(Databases, "orders", { spec: { storageGb: 5 } }, call).catch((error) => {
      if (!isInvalid(error)) throw error;
      console.log(`# ${error.message}`);
    });
    console.log(`# the leader's metrics: ${await reconciles()} reconciles`);
    console.log("# the leader stops; the other replica takes over");
    await first?.[Symbol.asyncDispose]();
    await client.waitFor(Leases, "databases", (lease) => !!lease?.spec?.holderIdentity, call);
    console.log("# somebody scales the Deployment by hand");
    await client.patch(Deployments, "orders", { spec: { replicas: 0 } }, call);
    await pause(STEP_MS, signal);
    const { spec: repaired } = await client.get(Deployments, "orders", call);
    console.log(`# the Deployment has ${repaired?.replicas} replicas`);
    console.log("# a Pod crashes");
    await run(1);
    await say();
    console.log("# the Database is deleted; the finalizer keeps it until its bucket is gone");
    await client.delete(Databases, "orders", call);
    await pause(STEP_MS, signal);
    const { items } = await client.list(EventsV1, call);
    for (const { type, reason, note } of items) console.log(`# event: ${type} ${reason}: ${note}`);
  },
};
