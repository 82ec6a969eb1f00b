/** Mistakes of plain JavaScript: each is an error that says what was expected. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { SharedInformer, SharedInformerFactory, waitForCacheSync } from "../../src/cache/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../src/testing/mod.ts";

// deno-lint-ignore no-explicit-any -- plain JavaScript has no types
const mistake = (value?: unknown): any => value;
const informer = () =>
  new SharedInformer(new FakeControllerSource(), { name: "pods", clock: new VirtualClock() });
const controller = (options: Record<string, unknown>) =>
  new Controller(mistake({ informer: informer(), reconcile() {}, ...options }));

const MISTAKES: Readonly<Record<string, readonly [() => unknown, string]>> = {
  "no options": [() => new Controller(mistake()), "Expected options with a reconcile function"],
  "no informer": [() => controller({ informer: undefined }), "Expected an informer"],
  "an informer that is none": [() => controller({ informer: {} }), "an object without runShared()"],
  "no reconcile": [() => controller({ reconcile: undefined }), "without reconcile()"],
  "waitFor that is no array": [() => controller({ waitFor: informer() }), "must be an array"],
  "waitFor with a hole": [
    () => controller({ waitFor: [undefined] }),
    "Expected waitFor to hold informers, such as a SharedInformer: received undefined",
  ],
  "onGiveUp that is a number": [() => controller({ onGiveUp: 5 }), "onGiveUp must be a function"],
  "a rate limiter that is none": [() => controller({ rateLimiter: {} }), "without when()"],
  "no lister-watcher": [() => new SharedInformer(mistake()), "Expected a lister-watcher"],
  "a lister-watcher that cannot watch": [
    () => new SharedInformer(mistake({ list() {} })),
    "without watch()",
  ],
  "a transform that is a number": [() => informer().setTransform(mistake(5)), "transform must be"],
  "a watchErrorHandler that is text": [
    () => informer().setWatchErrorHandler(mistake("log")),
    "watchErrorHandler must be a function: received a value of type string",
  ],
  "no handler": [() => informer().addEventHandler(mistake()), "Expected a handler"],
  "a handler that is a function": [
    () => informer().addEventHandler(mistake(() => {})),
    "received function",
  ],
  "a handler whose onAdd is a number": [
    () => informer().addEventHandler(mistake({ onAdd: 5 })),
    "onAdd must be a function",
  ],
  "a handler of changes that is an object": [
    () => informer().addChangeHandler(mistake({ onAdd: () => {} })),
    "Expected a function that is called with changes: received object",
  ],
  "an index function that is a number": [
    () => informer().addIndexers(mistake({ node: 5 })),
    "node must be a function",
  ],
  "a factory without a client": [() => new SharedInformerFactory(mistake()), "such as a Client"],
};

for (const [what, [make, message]] of Object.entries(MISTAKES)) {
  Deno.test(`Controllers and informers refuse ${what}`, () => {
    assertThrows(make, TypeError, message);
  });
}

Deno.test("waitForCacheSync() refuses a cache instead of the options, and an argument that is not a cache", async () => {
  await assertRejects(
    () => waitForCacheSync(mistake(informer())),
    TypeError,
    "call waitForCacheSync({}, cache)",
  );
  await assertRejects(() => waitForCacheSync({}, mistake()), TypeError, "Expected a cache");
  assertEquals(await waitForCacheSync({}), undefined);
});
