import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";
import { crdOfAnything, type Loose } from "./support.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MANY = 40;

/** Objects by path, each with the number in its name. */
const KINDS: Readonly<Record<string, (i: number) => Loose>> = {
  [Cluster.path("configmaps")]: (i) => ({ metadata: { name: `map-${i}` } }),
  [Cluster.path("pods")]: (i) => ({
    metadata: { name: `pod-${i}` },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  }),
  [Cluster.path("services")]: (i) => ({
    metadata: { name: `service-${i}` },
    spec: { type: "NodePort", ports: [{ port: 80 }] },
  }),
  [DEFINITIONS]: (i) => {
    const crd = crdOfAnything();
    const { group } = crd.spec;
    const names = { plural: `kind${i}s`, singular: `kind${i}`, kind: `Kind${i}` };
    const spec = { ...crd.spec, names: { ...names, listKind: `Kind${i}List` } };
    return { ...crd, metadata: { name: `${names.plural}.${group}` }, spec };
  },
};

/** Returns how many texts a server parses to create an object of each kind. */
async function parses(cluster: Cluster): Promise<Record<string, number>> {
  const { parse } = JSON;
  const counts: Record<string, number> = {};
  try {
    for (const [path, make] of Object.entries(KINDS)) {
      let count = 0;
      JSON.parse = (...given) => {
        count++;
        return parse(...given);
      };
      const { status } = await cluster.call("POST", path, make(MANY));
      JSON.parse = parse;
      assertEquals([path, status], [path, 201]);
      counts[path] = count;
    }
  } finally {
    JSON.parse = parse;
  }
  return counts;
}

Deno.test("a create reads no other Service and no other CustomResourceDefinition", async () => {
  const withMany = async (count: number) => {
    await using cluster = new Cluster();
    for (const [path, make] of Object.entries(KINDS)) {
      for (let i = 0; i < count; i++) await cluster.call("POST", path, make(i));
    }
    return await parses(cluster);
  };
  await withMany(1); // The first use of a schema parses its text.
  assertEquals(await withMany(MANY), await withMany(1));
});
