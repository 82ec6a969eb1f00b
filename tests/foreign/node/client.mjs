// Uses the server at argv[2] with @kubernetes/client-node from argv[3]: lists, watches, informs, patches and applies.
// Prints the results as one line of JSON.

import process from "node:process";

const [, , server, name] = process.argv;
// An argument, because the package is installed only for this test and is not a dependency of this repository.
const {
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} = await import(name);
const config = new KubeConfig();
// The package rejects plain HTTP unless skipTLSVerify is set.
config.loadFromClusterAndUser({ name: "ours", server, skipTLSVerify: true }, { name: "admin" });
const core = config.makeApiClient(CoreV1Api);
const objects = KubernetesObjectApi.makeApiClient(config);
const namespace = "default";
const seen = {};

const until = async (what, check) => {
  for (let tries = 0; tries < 3000; tries++) {
    if (check()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Not in time: ${what}`);
};
const statusOf = (promise) => promise.then(() => 200, (error) => error.code ?? String(error));
const map = (name, data) => ({ metadata: { name, labels: { app: "demo" } }, data });

// Creates and lists, also in pages.
for (const name of ["a", "b", "c"]) {
  await core.createNamespacedConfigMap({ namespace, body: map(name, { n: "0" }) });
}
seen.duplicate = await statusOf(
  core.createNamespacedConfigMap({ namespace, body: map("a", {}) }),
);
const page = await core.listNamespacedConfigMap({ namespace, limit: 2, labelSelector: "app=demo" });
const rest = await core.listNamespacedConfigMap({
  namespace,
  limit: 2,
  labelSelector: "app=demo",
  _continue: page.metadata._continue,
});
seen.pages = [page.items, rest.items].map((items) => items.map((one) => one.metadata.name));
seen.created = page.items[0].metadata.creationTimestamp instanceof Date;

// Watches from the resource version of the list.
const events = [];
const watching = await new Watch(config).watch(
  `/api/v1/namespaces/${namespace}/configmaps`,
  { resourceVersion: rest.metadata.resourceVersion, allowWatchBookmarks: true },
  (type, object) => events.push(`${type} ${object.metadata.name}`),
  () => {},
);

// Runs an informer.
const informed = [];
const informer = makeInformer(
  config,
  `/api/v1/namespaces/${namespace}/configmaps`,
  () => core.listNamespacedConfigMap({ namespace, labelSelector: "app=demo" }),
  "app=demo",
);
for (const verb of ["add", "update", "delete"]) {
  informer.on(verb, (object) => informed.push(`${verb} ${object.metadata.name}`));
}
await informer.start();
await until("the informer has listed", () => informed.length === 3);

// Patches.
const patch = (strategy, name, body) =>
  core.patchNamespacedConfigMap(
    { namespace, name, body, fieldManager: "demo", force: undefined },
    setHeaderOptions("Content-Type", strategy),
  );
seen.json = (await patch(PatchStrategy.JsonPatch, "a", [
  { op: "replace", path: "/data/n", value: "1" },
])).data;
seen.merge = (await patch(PatchStrategy.MergePatch, "a", { data: { m: "2" } })).data;
seen.strategic = (await patch(PatchStrategy.StrategicMergePatch, "a", {
  data: { m: null, s: "3" },
})).data;
const apply = (fieldManager, data) =>
  objects.patch(
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied", namespace }, data },
    undefined,
    undefined,
    fieldManager,
    undefined,
    PatchStrategy.ServerSideApply,
  );
seen.applied = (await apply("one", { k: "1" })).data;
seen.conflict = await statusOf(apply("two", { k: "2" }));
seen.shared = (await apply("two", { other: "2" })).metadata.managedFields.map((one) => one.manager);

await core.replaceNamespacedConfigMap({ namespace, name: "b", body: map("b", { n: "9" }) });
await core.deleteNamespacedConfigMap({ namespace, name: "c" });
seen.missing = await statusOf(core.readNamespacedConfigMap({ namespace, name: "c" }));
await until("the watch has seen the deletion", () => events.includes("DELETED c"));
await until("the informer has seen the deletion", () => informed.includes("delete c"));
watching.abort();
await informer.stop();
seen.events = events;
seen.informed = informed;
console.log(JSON.stringify(seen));
process.exit(0);
