import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { Cluster } from "../cluster.ts";

const MAPS = Cluster.path("configmaps");
const NAMES = [..."abcdefgh"];

async function orders(seedless = new Cluster()): Promise<string[][]> {
  await using cluster = seedless;
  for (const name of NAMES) await cluster.configMap(name);
  const found: string[][] = [];
  const list = async (query: string) => {
    const { json } = await cluster.get(`${MAPS}${query}`);
    found.push(json.items.map((item: { metadata: { name: string } }) => item.metadata.name));
  };
  const lag = cluster.server.lag.shuffle({ when: ({ url }) => !url.searchParams.has("sorted") });
  await list("");
  await list("?resourceVersion=0&limit=2");
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=0`);
  await cluster.clock.settle();
  found.push(watch.lines.map(({ object }) => object.metadata.name));
  assertEquals(lag.hits, 3);
  await list("?sorted=1");
  await list("?limit=500");
  await list("?limit=2");
  lag.release();
  await list("");
  assertEquals(lag.hits, 3);
  return found;
}

Deno.test("shuffle() sends lists without pages and initial events in a seeded order", async () => {
  const found = await orders();
  for (const order of found.slice(0, 3)) {
    assertNotEquals(order, NAMES);
    assertEquals(order.toSorted(), NAMES);
  }
  assertEquals(found.slice(3), [NAMES, NAMES, ["a", "b"], NAMES]);
  assertEquals(await orders(), found);
});

Deno.test("shuffle() refuses wrong options", async () => {
  await using cluster = new Cluster();
  // deno-lint-ignore no-explicit-any
  const options: any = { when: 1 };
  assertThrows(() => cluster.server.lag.shuffle(options), TypeError, "when must be a function");
});
