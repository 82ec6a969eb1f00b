import { assert, assertEquals, assertRejects } from "@std/assert";
import { condition, deleted, established, rolledOut } from "@kubeloop/controller/client";
import { crd, EventRecorder, EventsV1 } from "@kubeloop/controller/operator";
import {
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  Deployments,
  Namespaces,
} from "@kubeloop/controller/types";
import { Websites } from "../../examples/crd_controller.ts";
import { World } from "./world.ts";

Deno.test("waits and Events on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  const call = { namespace };

  await t.step("waitFor() follows a Deployment, through a restart", async () => {
    const waiting = client.waitFor(Deployments, "web", rolledOut, { ...call, timeoutMs: 60_000 });
    await client.create(Deployments, {
      metadata: { name: "web", namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "main", image: "nginx" }] },
        },
      },
    });
    const behind = { observedGeneration: 1, replicas: 2, updatedReplicas: 1 };
    await client.patchStatus(Deployments, "web", { status: behind }, call);
    await assertRejects(
      () => client.waitFor(Deployments, "web", rolledOut, { ...call, timeoutMs: 500 }),
      DOMException,
      `Deployment ${namespace}/web was not rolled out within 500 ms: 1 of 2 replicas are updated`,
    );
    await world.restartApiServer();
    const status = { ...behind, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await client.patchStatus(Deployments, "web", { status }, call);
    assertEquals((await waiting).status?.availableReplicas, 2);
  });

  await t.step("waitFor() waits for a definition, and until an object is gone", async () => {
    const { metadata: { name } } = await client.create(CustomResourceDefinitions, crd(Websites));
    await client.waitFor(CustomResourceDefinitions, name, established, { timeoutMs: 60_000 });
    assertEquals((await client.list(Websites)).items, []);
    const { metadata } = await client.create(ConfigMaps, {
      metadata: { name: "a", namespace, finalizers: ["example.com/wait"] },
    });
    const waiting = client.waitFor(ConfigMaps, "a", deleted(metadata.uid), call);
    await client.delete(ConfigMaps, "a", call);
    const patch = { metadata: { finalizers: null } };
    await client.patch(ConfigMaps, "a", patch as unknown as { metadata: object }, call);
    assertEquals(await waiting, undefined);
    const unknown = defineResource({
      group: "none.example.com",
      version: "v1",
      plural: "nones",
      kind: "None",
      namespaced: true,
    });
    await assertRejects(() => client.waitFor(unknown, "a", condition("Ready"), call), Error, "404");
  });

  await t.step("EventRecorder writes Events that the server takes", async () => {
    const recorder = new EventRecorder(client, { reportingController: "acme.io/e2e" });
    const stop = new AbortController();
    const running = recorder.run({ signal: stop.signal });
    const map = await client.create(ConfigMaps, { metadata: { name: "b", namespace } });
    const space = await client.get(Namespaces, namespace);
    const report = { type: "Normal", reason: "Seen", note: "it is there" } as const;
    recorder.event(ConfigMaps, map, report);
    assert(await recorder.flush({ timeoutMs: 30_000 }));
    for (let i = 0; i < 4; i++) recorder.event(ConfigMaps, map, report);
    const long = "\x1b[2J 🙂".repeat(10_000);
    recorder.event(ConfigMaps, map, { type: "Warning", reason: long, action: long, note: long });
    recorder.event(Namespaces, space, {
      ...report,
      related: { resource: ConfigMaps, object: map },
    });
    stop.abort();
    await running;
    assertEquals(Object.values(recorder.snapshot().dropped), [0, 0, 0, 0, 0]);
    const { items } = await client.list(EventsV1, call);
    assertEquals(items.map(({ reason, series }) => [reason.length > 100, series?.count]).sort(), [
      [false, 5],
      [true, undefined],
    ]);
    const { items: ofSpace } = await client.list(EventsV1, {
      namespace: "default",
      fieldSelector: `regarding.name=${namespace}`,
    });
    assertEquals(ofSpace.map(({ related }) => related?.name), ["b"]);
  });
});
