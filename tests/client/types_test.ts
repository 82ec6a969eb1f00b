/** Calls that compile and calls that do not. Nothing here runs: `deno check` is the test. */

import {
  Client,
  complete,
  condition,
  deleted,
  established,
  type JsonPatchOperation,
  type PatchType,
  rolledOut,
} from "../../src/client/mod.ts";
import {
  type ApplyConfiguration,
  type Cached,
  type Condition,
  ConfigMaps,
  type DeepReadonly,
  defineResource,
  type Deployment,
  Deployments,
  type KubeObject,
  metadataOf,
  type Node,
  Nodes,
  type Pod,
  Pods,
  type PodStatus,
  type Resource,
  type Status,
  type Stored,
  type WatchEvent,
} from "../../src/types/mod.ts";

interface CronTask extends KubeObject {
  spec: { schedule: string; image?: string };
  status?: { lastRun?: string; phase: "Idle" | "Running" };
}

const CronTasks = defineResource<CronTask>({
  group: "example.com",
  version: "v1",
  plural: "crontasks",
  kind: "CronTask",
  namespaced: true,
});

interface Scale extends KubeObject {
  spec: { replicas: number };
}

declare const client: Client;
declare const maybe: string | undefined;
const inN = { namespace: "n" };

/** Calls that compile. They are exported, so that they do not count as unused. */
export const good: readonly ((...args: never[]) => unknown)[] = [
  // Returned objects always have a name, a UID and a resource version.
  async () => {
    const { metadata, spec } = await client.get(CronTasks, "a", inN);
    const texts: string[] = [metadata.name, metadata.uid, metadata.resourceVersion, spec.schedule];
    return texts;
  },
  async () => {
    const pods: Stored<Pod>[] = [
      await client.get(Pods, "p", inN),
      await client.create(Pods, { metadata: { name: "p" } }, inN),
      await client.update(Pods, { metadata: { name: "p" } }, inN),
      await client.updateStatus(Pods, { metadata: { name: "p" } }, inN),
      await client.patch(Pods, "p", {}, inN),
      await client.patchStatus(Pods, "p", {}, inN),
      await client.apply(Pods, { metadata: { name: "p" } }, { ...inN, fieldManager: "m" }),
      ...(await client.list(Pods)).items,
      ...(await client.deleteCollection(Pods, inN)).items,
    ];
    const gone: Stored<Pod> | Status = await client.delete(Pods, "p", inN);
    return [pods, gone];
  },
  () => client.eachListItem(Pods, (pod) => void pod.metadata.uid.length),
  async () => {
    for await (const event of await client.watch(Pods)) {
      if (event.type !== "BOOKMARK") event.object.metadata.uid.length;
      const plain: WatchEvent<Pod> = event;
      plain.type;
    }
    for await (const event of await client.listerWatcher(Pods).watch({}, {})) {
      const plain: WatchEvent<Pod> = event;
      plain.type;
    }
  },
  // Waits for a state of an object return the object; other waits may end without one.
  async () => {
    const web: Stored<Deployment> = await client.waitFor(Deployments, "web", rolledOut, inN);
    const pod: Stored<Pod> = await client.waitFor(Pods, "p", condition("Ready"), inN);
    const task: Stored<CronTask> = await client.waitFor(CronTasks, "a", complete, inN);
    const node: Stored<Node> = await client.waitFor(Nodes, "n", established);
    const gone: Stored<Pod> | undefined = await client.waitFor(Pods, "p", deleted("u"), inN);
    const own = await client.waitFor(
      Pods,
      "p",
      (pod) => pod?.status?.conditions?.some(({ type }) => type === "Ready"),
      inN,
    );
    const owned: Stored<Pod> | undefined = own;
    return [web, pod, task, node, gone, owned];
  },
  // The expected type of the result does not affect the type arguments of the call.
  async () => {
    const pod: Pod = await client.get(Pods, "p", inN);
    const found: Pod | undefined = await client.get(Pods, "p", inN).catch(() => undefined);
    const anything: KubeObject = await client.patch(Pods, "p", {}, inN);
    return [pod, found, anything];
  },
  // Read-only objects from a cache and spreads of them can be written.
  (cached: Cached<Deployment>, frozen: DeepReadonly<Deployment>) => [
    client.create(Deployments, cached),
    client.update(Deployments, cached),
    client.update(Deployments, frozen),
    client.updateStatus(Deployments, cached),
    client.update(Deployments, { ...cached, metadata: { ...cached.metadata, labels: {} } }),
    client.updateStatus(Deployments, { ...cached, status: { ...cached.status, replicas: 3 } }),
  ],
  // Server-side apply accepts a part of an object.
  () => [
    client.apply(Deployments, { metadata: { name: "web" }, spec: { replicas: 3 } }, {
      ...inN,
      fieldManager: "m",
    }),
    client.apply(CronTasks, { metadata: { name: "a" }, status: { lastRun: "now" } }, {
      ...inN,
      fieldManager: "m",
      force: true,
      subresource: "status",
    }),
  ],
  // Patches contain only the changed fields. Null removes a field.
  (status: PodStatus, condition: Condition, node: Node) => [
    client.patch(Deployments, "web", { spec: { replicas: 3 } }, inN),
    client.patch(Deployments, "web", { spec: null }, { ...inN, type: undefined }),
    client.patch(Deployments, "web", { metadata: { labels: { app: null } } }, { type: "merge" }),
    client.patch(Deployments, "web", { spec: { template: { $patch: "replace" } } }, {
      type: "strategic",
    }),
    client.patch(Pods, "p", [{ op: "remove", path: "/spec" }], { type: "json" }),
    client.patchStatus(Pods, "p", { status }, inN),
    client.patchStatus(Pods, "p", { status }, { ...inN, type: "strategic" }),
    client.patchStatus(Nodes, "n", { status: { conditions: [condition] } }, { type: "strategic" }),
    client.patchStatus(Nodes, "n", { status: node.status }),
    client.patchStatus(CronTasks, "a", { status: { phase: "Running" } }, inN),
  ],
  // Parts of read-only objects can be patched and applied too.
  ({ metadata, spec }: Cached<Deployment>) => [
    client.patch(Deployments, "web", { metadata: { ownerReferences: metadata.ownerReferences } }),
    client.patch(Deployments, "web", { spec }, { type: "strategic" }),
    client.patch(Pods, "p", { spec: { containers: spec?.template.spec?.containers } }),
    client.apply(Deployments, { metadata, spec }, { fieldManager: "m" }),
  ],
  (operations: readonly JsonPatchOperation[]) =>
    client.patch(Pods, "p", operations, { ...inN, type: "json" }),
  // A type argument sets the type of a subresource with its own kind.
  async () => {
    const scale: Scale = await client.get<Scale>(Deployments, "web", {
      ...inN,
      subresource: "scale",
    });
    const call = { ...inN, subresource: "scale" };
    await client.update<Scale>(Deployments, { ...scale, spec: { replicas: 3 } }, call);
    const patched: Scale = await client.patch<Scale>(
      Deployments,
      "web",
      { spec: { replicas: 3 } },
      call,
    );
    const binding: KubeObject & { target: object } = { metadata: { name: "p" }, target: {} };
    await client.create<KubeObject>(Pods, binding, { ...inN, subresource: "binding" });
    return patched;
  },
  // Helpers for every kind, generic or not.
  () => anyKind(CronTasks),
  () => [generic(CronTasks, {} as Stored<CronTask>, {} as Cached<CronTask>), anyKind],
  // Options may be undefined.
  () => [
    client.get(Pods, "p", { namespace: maybe, subresource: maybe, signal: undefined }),
    client.list(Pods, { namespace: maybe, labelSelector: maybe, limit: undefined }),
    client.listerWatcher(Pods, { namespace: maybe, labelSelector: maybe }),
    client.delete(Pods, "p", { preconditions: { uid: maybe }, gracePeriodSeconds: undefined }),
    new Client({ server: maybe, token: maybe, qps: undefined, maxRetries: undefined }),
  ],
  () => client.get(metadataOf(Pods), "p", inN),
];

async function anyKind(resource: Resource): Promise<unknown> {
  await client.patch(resource, "a", { metadata: { finalizers: ["example.com/keep"] } });
  return await client.get(resource, "a");
}

async function generic<T extends KubeObject>(
  resource: Resource<T>,
  object: Stored<T>,
  cached: Cached<T>,
): Promise<Stored<T>> {
  await client.create(resource, object);
  await client.update(resource, cached);
  await client.update(resource, { ...object, metadata: { ...object.metadata, labels: {} } });
  await client.patch(resource as Resource, "a", { metadata: { labels: { app: "web" } } });
  const { items } = await client.list(resource);
  return items[0] ?? await client.get(resource, "a");
}

/** Calls that do not compile. */
export const bad: readonly ((...args: never[]) => unknown)[] = [
  // @ts-expect-error: a misspelt field in a merge patch.
  () => client.patch(Deployments, "web", { sepc: {} }),
  // @ts-expect-error: the same with options.
  () => client.patch(Deployments, "web", { sepc: {} }, inN),
  // @ts-expect-error: a misspelt nested field.
  () => client.patch(Deployments, "web", { spec: { replicsa: 3 } }, inN),
  // @ts-expect-error: a value of another type.
  () => client.patch(Deployments, "web", { spec: { replicas: "3" } }, inN),
  // @ts-expect-error: a misspelt field in a strategic merge patch.
  () => client.patch(Deployments, "web", { sepc: {} }, { ...inN, type: "strategic" }),
  // @ts-expect-error: a misspelt field in the patch of a status.
  () => client.patchStatus(CronTasks, "a", { status: { lastRnu: "now" } }, inN),
  // @ts-expect-error: a value that the field cannot have.
  () => client.patchStatus(CronTasks, "a", { status: { phase: "Waiting" } }, inN),
  // @ts-expect-error: operations without their type.
  () => client.patch(Pods, "p", [{ op: "remove", path: "/spec" }], inN),
  // @ts-expect-error: an object instead of operations.
  () => client.patch(Pods, "p", {}, { ...inN, type: "json" }),
  // @ts-expect-error: an operation without its value.
  () => client.patch(Pods, "p", [{ op: "add", path: "/a" }], { ...inN, type: "json" }),
  // @ts-expect-error: server-side apply has its own method.
  () => client.patch(Pods, "p", {}, { ...inN, type: "apply" }),
  // @ts-expect-error: a missing patch.
  () => client.patch(Pods, "p", undefined, inN),
  (type: PatchType) =>
    // @ts-expect-error: a patch that matches none of the types.
    client.patch(Pods, "p", 5, { ...inN, type }),

  // @ts-expect-error: a misspelt field.
  () => client.create(CronTasks, { metadata: { name: "a" }, sepc: {} }),
  // @ts-expect-error: a field is missing.
  () => client.create(CronTasks, { metadata: { name: "a" }, spec: {} }),
  // @ts-expect-error: an object of another kind.
  (task: CronTask) => client.update(Deployments, task),
  // @ts-expect-error: a name that may be missing.
  (pod: Pod) => client.get(Pods, pod.metadata.name, inN),
  // @ts-expect-error: the same for delete().
  (pod: Pod) => client.delete(Pods, pod.metadata.name, inN),

  // @ts-expect-error: server-side apply needs the name.
  () => client.apply(Deployments, { metadata: {} }, { ...inN, fieldManager: "m" }),
  // @ts-expect-error: server-side apply needs the field manager.
  () => client.apply(Deployments, { metadata: { name: "web" } }, inN),
  // @ts-expect-error: a misspelt field.
  () => client.apply(ConfigMaps, { metadata: { name: "a" }, dtaa: {} }, { fieldManager: "m" }),

  async () => {
    // @ts-expect-error: a Pod is not a Deployment.
    const deployment: Deployment = await client.get(Pods, "p", inN);
    return deployment;
  },
  // @ts-expect-error: with a type argument, the subresource is required.
  () => client.get<Scale>(Deployments, "web", inN),

  // @ts-expect-error: an undefined selector would delete all objects.
  () => client.deleteCollection(Pods, { ...inN, labelSelector: maybe }),
  // @ts-expect-error: eachListItem() reads all pages.
  () => client.eachListItem(Pods, () => {}, { limit: 5 }),
  // @ts-expect-error: a misspelt option.
  () => client.get(Pods, "p", { namspace: "n" }),
  // @ts-expect-error: a predicate of another kind.
  () => client.waitFor(Pods, "p", (deployment: Deployment | undefined) => !deployment, inN),
  // @ts-expect-error: an object that may not exist.
  () => client.waitFor(Pods, "p", (pod) => pod.status?.phase === "Running", inN),
  // @ts-expect-error: a predicate that returns something else.
  () => client.waitFor(Pods, "p", (pod) => pod, inN),
  // @ts-expect-error: a promise instead of a verdict.
  () => client.waitFor(Pods, "p", () => Promise.resolve(true), inN),
  // @ts-expect-error: a function that makes predicates.
  () => client.waitFor(Pods, "p", deleted, inN),
  // @ts-expect-error: a wait has its own retries.
  () => client.waitFor(Pods, "p", rolledOut, { ...inN, maxRetries: 3 }),
  async () => {
    // @ts-expect-error: it may be gone.
    const pod: Pod = await client.waitFor(Pods, "p", deleted(), inN);
    return pod;
  },
  // @ts-expect-error: the client sets no time limit for a watch.
  () => client.watch(Pods, { timeoutMs: 5 }),
  // @ts-expect-error: updateStatus() always writes the status subresource.
  () => client.updateStatus(Pods, { metadata: {} }, { subresource: "scale" }),
];

/** An apply configuration that compiles. */
export const applied: ApplyConfiguration<Deployment> = { metadata: { name: "web" } };
