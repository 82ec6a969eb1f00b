/** A state that is still changed, and other edges of what a server remembers. */

import { assertEquals } from "@std/assert";
import type { ServerState } from "../../../src/testing/mod.ts";
import { Cluster } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");

Deno.test("a server reads a state again that may have changed since another one read it", async () => {
  const { resourceVersion, objects } = await (async () => {
    await using cluster = new Cluster();
    await cluster.configMap("a");
    return cluster.server.state();
  })();
  const renamed = ({ resource, text }: ServerState["objects"][number]) => ({
    resource,
    text: text.replaceAll('"name":"a"', '"name":"b"'),
  });
  const copies = objects.map((one) => ({ ...one }));
  const open = { resourceVersion, objects: copies } as {
    -readonly [K in keyof ServerState]: ServerState[K];
  };
  const names = async (state: ServerState) => {
    await using cluster = new Cluster({ state });
    const { json } = await cluster.get(MAPS);
    return json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };
  const own = (list: string[]) => list.filter((name) => name.length === 1);
  assertEquals(own(await names(open)), ["a"]);
  open.objects = copies.map(renamed);
  assertEquals(own(await names(open)), ["b"]);
  // Nor is it enough that the outer parts cannot change.
  const parts = objects.map((one) => ({ ...one }));
  const frozen = Object.freeze({ resourceVersion, objects: Object.freeze(parts) });
  assertEquals(own(await names(frozen)), ["a"]);
  for (const part of parts) Object.assign(part, renamed(part));
  assertEquals(own(await names(frozen)), ["b"]);
});

Deno.test("a binding replaces what the status says about the scheduling", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", "/api/v1/nodes", { metadata: { name: "n" } });
  await cluster.pod("p");
  const conditions = [
    { type: "PodScheduled", status: "False", reason: "Unschedulable" },
    { type: "Other", status: "True" },
  ];
  const path = `${Cluster.path("pods")}/p`;
  await cluster.merge(`${path}/status`, { status: { conditions } });
  const target = { apiVersion: "v1", kind: "Node", name: "n" };
  const { status } = await cluster.call("POST", `${path}/binding`, {
    metadata: { name: "p" },
    target,
  });
  assertEquals(status, 201);
  const found = (await cluster.get(path)).json.status.conditions;
  assertEquals(found.map((one: Record<string, string>) => `${one["type"]} ${one["status"]}`), [
    "PodScheduled True",
    "Other True",
  ]);
});

Deno.test("the Accept header may ask for pretty JSON", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const lines = async (accept: string) => {
    const { text } = await cluster.call("GET", `${MAPS}/a`, undefined, { accept });
    return text.trimEnd().split("\n").length > 1;
  };
  assertEquals([await lines("application/json"), await lines("application/json;pretty=1")], [
    false,
    true,
  ]);
  assertEquals(await lines("application/json;pretty=0"), false);
});
