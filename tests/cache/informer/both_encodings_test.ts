import { assert, assertEquals } from "@std/assert";
import { Client } from "../../../src/client/mod.ts";
import { SharedInformer } from "../../../src/cache/mod.ts";
import type { KubeObject, ResourceDescriptor } from "../../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "@kubeloop/testing";

/** Objects with fields that a server completes in JSON only, or stores in another form. */
const OBJECTS: readonly (readonly [ResourceDescriptor, object])[] = [
  [
    { group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet", namespaced: true },
    {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" } },
        spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: 0.5 } } }] },
      },
      volumeClaimTemplates: [{
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }],
    },
  ],
  [
    { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob", namespaced: true },
    {
      schedule: "0 0 * * *",
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
          },
        },
      },
    },
  ],
  [
    { group: "", version: "v1", plural: "services", kind: "Service", namespaced: true },
    { ports: [{ port: 80, targetPort: "web" }], selector: {} },
  ],
];

Deno.test("An object in the cache is the same in protobuf and in JSON, also where a server adds what protobuf does not have", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client({ ...server.clientOptions, clock });
  for (const [resource, spec] of OBJECTS) {
    const object = { metadata: { name: "a", namespace: "default" }, spec } as KubeObject;
    await clock.run(client.create(resource, object));
    const informer = new SharedInformer(client.listerWatcher(resource), { resource, clock });
    const stop = new AbortController();
    const running = informer.run({ signal: stop.signal });
    await clock.run(informer.whenSynced());
    const { items } = await clock.run(client.list(resource, { namespace: "default" }));
    const cached = items.map(({ metadata: { name } }) =>
      informer.indexer.getByKey(`default/${name}`)
    );
    assert(items.length > 0 && informer.snapshot().objectBytes !== undefined);
    assertEquals(cached, items as typeof cached, resource.kind);
    stop.abort();
    await clock.run(running);
  }
});
