/** Readers of malformed metadata do not throw: the object is not selected and has no controller. */

import { assertEquals } from "@std/assert";
import { listAll, metaNamespaceKeyFunc, newIndexer } from "../../src/cache/mod.ts";
import { controllerOf, isControlledBy, type KubeObject, Pods } from "../../src/types/mod.ts";

const ANYTHING: readonly unknown[] = [
  ...[null, true, 5, "x", [], [null], {}, { toString: 1 }],
  ...[{ app: null }, { app: {} }, { app: 5 }, { app: ["web"] }, { app: { toString: 1 } }],
  { app: "9".repeat(1_000_000) },
  [{ controller: true, kind: "Pod", apiVersion: {} }],
];

for (const value of ANYTHING) {
  Deno.test(`readers of metadata take ${JSON.stringify(value).slice(0, 40)}`, () => {
    const bad = {
      metadata: { name: "bad", labels: value, ownerReferences: value },
    } as unknown as KubeObject;
    const good: KubeObject = { metadata: { name: "good", labels: { app: "7" } } };
    const indexer = newIndexer<KubeObject>(metaNamespaceKeyFunc);
    indexer.add(bad);
    indexer.add(good);
    for (const selector of ["app=7", "app in (7,8)", "app>6,app<8"]) {
      assertEquals(listAll(indexer, selector), [good], selector);
    }
    assertEquals(listAll(indexer, "app,app!=7,app notin (8)").includes(good), false);
    assertEquals(controllerOf(bad, Pods), undefined);
    assertEquals(isControlledBy(bad, { metadata: { name: "o", uid: "u" } }), false);
  });
}
