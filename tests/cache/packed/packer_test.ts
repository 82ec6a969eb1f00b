import { assertEquals } from "@std/assert";
import { Packer } from "../../../src/cache/packed/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { CacheIndexer } from "./_cache_indexer.ts";

function object(uid: string | undefined, resourceVersion: string | undefined): KubeObject {
  return {
    metadata: {
      name: "a",
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

Deno.test("Packer takes a listed object for the cached one only at the same uid and resource version", () => {
  const encoder = new TextEncoder();
  for (const keepsBytes of [true, false]) {
    for (
      const [known, listed, isSame] of [
        [object("1", "5"), object("1", "5"), true],
        [object("1", "5"), object("1", "6"), false],
        [object("1", "5"), object("2", "5"), false],
        [object(undefined, "5"), object(undefined, "5"), false],
        [object("1", undefined), object("1", undefined), false],
        [object("1", ""), object("1", ""), false],
      ] as const
    ) {
      const cache = new CacheIndexer<KubeObject>();
      if (!keepsBytes) cache.keepParsed();
      cache.add(known);
      const body = encoder.encode(JSON.stringify({ metadata: {}, items: [listed] }));
      const item = new Packer(cache).readList(body)?.items[0];
      assertEquals(item === cache.items.getByKey("a"), isSame);
      cache.exchange(item!, "a");
      assertEquals(cache.getByKey("a"), listed);
    }
  }
});
