/**
 * Installs a CustomResourceDefinition that was made of schemas on a real server.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { Client, loadConfig } from "@kubeloop/controller";
import { crd, installDefinitions } from "../../src/operator/mod.ts";
import { CustomResourceDefinitions, defineResource } from "../../src/types/mod.ts";
import { thirtyFields } from "../crd/_thirty_fields.ts";
import { World } from "./world.ts";

Deno.test("a real kube-apiserver accepts a CustomResourceDefinition of thirty fields, and enforces it", async () => {
  await using world = await World.create();
  const { kubeconfig, namespace } = world;
  const writes: string[] = [];
  const config = await loadConfig({ kubeconfig });
  await using client = new Client(config);
  await using counting = new Client({
    ...config,
    logger: { ...console, warn: (...texts: unknown[]) => void writes.push(texts.join(" ")) },
  });
  const Widgets = thirtyFields("zod");
  const [installed] = await installDefinitions(counting, [Widgets]);
  assertEquals(writes, [], "the server warns of nothing");
  const [again] = await installDefinitions(client, [thirtyFields("typebox")]);
  assertEquals(again?.metadata.resourceVersion, installed?.metadata.resourceVersion);
  // An update without a change would leave the resource version too, so the stored spec is compared as well.
  const { conversion: _, ...stored } = again?.spec as unknown as Record<string, unknown>;
  assertEquals(stored, crd(Widgets).spec as unknown as Record<string, unknown>);

  const spec = {
    image: "nginx",
    ratio: 0.5,
    port: 80,
    code: "ab-1",
    storage: { backup: { cron: "@daily" } },
    source: { type: "git", url: "https://example.com" },
    choice: null,
    size: 2,
  };
  const metadata = { name: "a", namespace };
  const created = await client.create(Widgets, { metadata, spec } as never) as unknown as {
    spec: Record<string, unknown>;
  };
  assertEquals(created.spec, {
    ...spec,
    storage: { backup: { cron: "@daily", keep: 3 }, size: "1Gi" },
    args: ["run"],
    mode: "Auto",
    paused: false,
    replicas: 3,
  });
  for (
    const wrong of [
      { size: 0 },
      { mode: "Slow" },
      { choice: "c" },
      { weight: 10 },
      { code: "AB" },
      { source: { type: "inline" } },
      { zones: ["a", "a"] },
      { ports: [{ name: "a", port: 1 }, { name: "a", port: 2 }] },
    ]
  ) {
    const object = { metadata: { name: "b", namespace }, spec: { ...spec, ...wrong } };
    const field = `spec.${Object.keys(wrong)[0]}`;
    await assertRejects(() => client.create(Widgets, object as never), Error, field);
  }
  await assertRejects(
    () => client.update(Widgets, { ...created, spec: { ...created.spec, size: 1 } } as never),
    Error,
    "size cannot shrink",
  );
  const thief = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    plural: "wodgets",
    spec: { type: "object", properties: {} },
  });
  await assertRejects(
    () => installDefinitions(client, [thief]),
    Error,
    "Cannot install the CustomResourceDefinition wodgets.acme.io: its names are taken (",
  );
  for (const name of ["wodgets.acme.io", "widgets.acme.io"]) {
    await client.delete(CustomResourceDefinitions, name);
  }
});
