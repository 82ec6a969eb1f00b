// Typical TypeScript code of a user: a custom resource, handlers, options. It is only type-checked.
import {
  type Cached,
  Client,
  Controller,
  defineResource,
  DeletedFinalStateUnknown,
  type Deployment,
  Deployments,
  isNotFound,
  type KubeObject,
  type Logger,
  type Pod,
  Pods,
  type ReconcileResult,
  type Resource,
  type SharedInformer,
  SharedInformerFactory,
  type Stored,
} from "@kubeloop/controller";
import type { Reconcile, ReconcileContext } from "@kubeloop/controller/controller";
import { type Indexer, metaNamespaceIndexFunc, newIndexer } from "@kubeloop/controller/cache";
import type { Config } from "@kubeloop/controller/client";
import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
import type { WatchEvent } from "@kubeloop/controller/types";
import type { DeploymentSpec } from "@kubeloop/controller/types/apps/v1";
import { type Container, Pods as AllPods } from "@kubeloop/controller/types/core/v1";
import { defaultControllerRateLimiter, RateLimitingQueue } from "@kubeloop/controller/workqueue";

interface Website extends KubeObject {
  spec: { title: string };
  status?: { ready: boolean };
}

const Websites = defineResource<Website>({
  group: "demo.example.com",
  version: "v1",
  plural: "websites",
  kind: "Website",
  namespaced: true,
});

const logger: Logger = console;
const config: Config = { server: "https://10.0.0.1:6443", tokenFile: "/token" };
const queue = new RateLimitingQueue<string>(defaultControllerRateLimiter<string>());
export const indexer: Indexer<Pod> = newIndexer((pod: Pod) => pod.metadata.name ?? "", {
  namespace: metaNamespaceIndexFunc,
});

export function describe(event: WatchEvent<Pod>): string {
  return event.type;
}

export async function start(signal: AbortSignal): Promise<Website | undefined> {
  const client = new Client({ ...config, logger });
  const informer: SharedInformer<Website> = new SharedInformerFactory(client, { logger })
    .informer(Websites);
  informer.addEventHandler({
    onAdd: (site, isInInitialList) => queue.add(`${site.spec.title} ${isInInitialList}`),
    onDelete: (last) => queue.add(DeletedFinalStateUnknown.is(last) ? last.key : last.spec.title),
  });
  const reconcile: Reconcile = (key: string, context: ReconcileContext): ReconcileResult => {
    logger.info(key, context.signal.aborted);
    return { requeueAfterMs: 1_000 };
  };
  await new Controller({ informer, reconcile }).run({ workers: 2, signal });
  try {
    for await (const event of await client.watch(Pods, { signal })) describe(event as never);
    return await client.get(Websites, "home", { namespace: "default", signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

export const server: ApiServer = new ApiServer({
  clock: new VirtualClock(),
  random: new SeededRandom(1),
});

/** Objects come as they are stored, and are sent as parts, patches, or as they are in a cache. */
export async function write(
  client: Client,
  cached: Cached<Deployment>,
  namespace: string | undefined,
): Promise<string> {
  const call = { namespace, fieldManager: "consumer" };
  await client.patch(Deployments, "web", { spec: { replicas: 3 } }, call);
  // @ts-expect-error: a misspelt field.
  await client.patch(Deployments, "web", { sepc: { replicas: 3 } }, call);
  // @ts-expect-error: the same in a status.
  await client.patchStatus(Websites, "home", { status: { raedy: true } }, call);
  await client.patch(Deployments, "web", [{ op: "remove", path: "/spec/paused" }], {
    ...call,
    type: "json",
  });
  await client.apply(Deployments, { metadata: { name: "web" }, spec: { replicas: 3 } }, call);
  await client.apply(Websites, { metadata: { name: "home" }, status: { ready: true } }, {
    ...call,
    subresource: "status",
  });
  await client.update(Deployments, { ...cached, spec: { ...cached.spec!, replicas: 3 } }, call);
  // @ts-expect-error: a selector that got lost would delete everything.
  await client.deleteCollection(Deployments, { ...call, labelSelector: namespace });
  const stored: Stored<Deployment> = await client.update(Deployments, cached, call);
  const { items: [first] } = await client.list(Websites, { namespace, limit: 1 });
  return first?.spec.title ?? stored.metadata.uid;
}

/** The types of all fields, beside the minimal ones. */
export async function probe(client: Client, container: Container): Promise<Container[]> {
  const spec: DeploymentSpec = {
    selector: { matchLabels: { app: "web" } },
    template: { spec: { containers: [{ ...container, readinessProbe: { periodSeconds: 5 } }] } },
  };
  const deployment: Deployment = { metadata: { name: "web", namespace: "default" }, spec };
  await client.create(Deployments, deployment);
  const pod: Stored<Pod> = await client.get(AllPods, "web", { namespace: "default" });
  // @ts-expect-error: a misspelt field.
  container.readynessProbe = {};
  return [
    ...spec.template.spec!.containers,
    ...(await client.list(AllPods)).items
      .flatMap(({ spec }) => spec?.containers ?? []),
    { name: pod.metadata.uid },
  ];
}

/** A helper for every kind. */
export function labelled(client: Client, resource: Resource, name: string): Promise<KubeObject> {
  return client.patch(resource, name, { metadata: { labels: { app: "web" } } });
}
void labelled(new Client(config), Websites, "home");
