import { assertEquals } from "@std/assert";
import {
  indexFuncToKeyFuncAdapter,
  metaNamespaceKeyFunc,
  newIndexer,
  newStore,
} from "../../../src/cache/mod.ts";
import { ExpirationCache, UndeltaStore } from "../../../src/extras/mod.ts";
import type { ConfigMap } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_CLOCK, NO_OBJECT, NO_SERVER, NO_SIGNAL } from "./_reasons.ts";

/** Stores without an informer. */
export const stores: readonly Row[] = [
  {
    name: "newStore(), newIndexer(), UndeltaStore and ExpirationCache",
    covers: [
      "Store.add",
      "Store.update",
      "Store.delete",
      "Store.replace",
      "Store.resync",
      "Indexer.addIndexers",
      "Indexer.addIndexers(indexers)",
      "newStore(keyFunc)",
      "newIndexer(keyFunc)",
      "newIndexer(indexers)",
      "new IndexedStore(keyFunc)",
      "new IndexedStore(indexers)",
      "IndexedStore.addIndexers(indexers)",
      "indexFuncToKeyFuncAdapter(indexFunc)",
      "new UndeltaStore(keyFunc)",
      "new UndeltaStore(pushFunc)",
      "new ExpirationCache(keyFunc)",
    ],
    start: async (day) => {
      const one = (name: string): ConfigMap => ({ metadata: { name, namespace } });
      const key = day.user("keyFunc", metaNamespaceKeyFunc);
      const index = day.user("indexFunc", ({ metadata }: ConfigMap) => [metadata?.name ?? ""]);
      const seen: string[] = [];
      const all = [
        newStore<ConfigMap>(key),
        newIndexer<ConfigMap>(indexFuncToKeyFuncAdapter(index), { name: index }),
        new UndeltaStore<ConfigMap>(
          day.user("pushFunc", (objects: readonly ConfigMap[]) => {
            seen.push(`${objects.length}`);
          }),
          key,
        ),
        new ExpirationCache<ConfigMap>(key, { ttlMs: 1_000, clock: day.clock }),
      ];
      for (const store of all) {
        store.add(one("a"));
        store.update(one("a"));
        store.replace([one("a"), one("b")], "1");
        store.delete(one("b"));
      }
      // The functions of a store are synchronous.
      return await Promise.resolve(all.map((store) => store.list().length));
    },
    normal: (_day, lengths) => assertEquals(lengths, [1, 1, 1, 1]),
    not: { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK, ...NO_SIGNAL },
  },
];
