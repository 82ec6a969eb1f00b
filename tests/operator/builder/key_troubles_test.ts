import { assertEquals } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import { KeyTroubles } from "../../../src/operator/builder/key_troubles.ts";

const FINALIZER = "acme.io/cleanup";

function object(name: string, deletionTimestamp?: string) {
  const metadata = { name, namespace: "default", finalizers: [FINALIZER], deletionTimestamp };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

Deno.test("KeyTroubles.list() does not take a new object for the deleted one of the same name", async () => {
  const clock = new VirtualClock();
  const troubles = new KeyTroubles({
    clock,
    redact: (text) => text,
    finalizers: new Set([FINALIZER]),
  });
  const deleted = object("a", new Date(clock.wallNow()).toISOString());
  const kinds = (item: unknown) => troubles.list(() => item as never, 10).map(({ kind }) => kind);
  troubles.changed({ item: deleted as never, type: "updated" });
  await clock.advance(120_000);
  assertEquals(kinds(deleted), ["stuck_finalizer"]);
  // The watch was interrupted while the object went and came again.
  troubles.changed({ item: object("a") as never, type: "updated" });
  assertEquals(kinds(object("a")), []);
});
