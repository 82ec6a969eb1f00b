import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ConfigMaps } from "../../../mod.ts";
import { GarbageCollector } from "../../../src/testing/mod.ts";
import { NAMESPACE, ownedBy, World } from "./world.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const POLICIES = ["Background", "Foreground", "Orphan"] as const;

/** Returns the owners of each object that is left after a deletion, by the name of the object. */
function afterDeletion(
  objects: Map<string, string[]>,
  name: string,
  policy: typeof POLICIES[number],
): Map<string, string[]> {
  const left = new Map(objects);
  left.delete(name);
  if (policy === "Orphan") {
    for (const [one, owners] of left) left.set(one, owners.filter((owner) => owner !== name));
    return left;
  }
  for (let changed = true; changed;) {
    changed = false;
    for (const [one, owners] of left) {
      const present = owners.filter((owner) => left.has(owner));
      if (present.length === owners.length) continue;
      if (present.length === 0) left.delete(one);
      else left.set(one, present);
      changed = true;
    }
  }
  return left;
}

const plan = fc.record({
  /** For each object: which earlier objects own it, and whether it blocks their deletion. */
  owners: fc.array(fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 3 }), {
    minLength: 2,
    maxLength: 10,
  }),
  deletions: fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...POLICIES)), {
    minLength: 1,
    maxLength: 5,
  }),
});

Deno.test("GarbageCollector leaves exactly the expected objects, for random owners and deletions", async () => {
  await assertProperty(
    fc.asyncProperty(plan, async ({ owners, deletions }) => {
      await using world = new World();
      await world.start(new GarbageCollector(world.options));
      const created: { name: string; reference: ReturnType<typeof ownedBy> }[] = [];
      let expected = new Map<string, string[]>();
      for (const [index, chosen] of owners.entries()) {
        const name = `object-${index}`;
        const parents = new Map(chosen.filter(([owner]) => owner < index));
        const ownerReferences = Array.from(parents, ([owner, blockOwnerDeletion]) => ({
          ...created[owner]!.reference.ownerReferences[0]!,
          blockOwnerDeletion,
        }));
        const object = await world.configMap(name, { ownerReferences });
        created.push({ name, reference: ownedBy(object) });
        expected.set(name, ownerReferences.map((owner) => owner.name));
      }
      for (const [index, propagationPolicy] of deletions) {
        const name = `object-${index}`;
        if (!expected.has(name)) continue;
        expected = afterDeletion(expected, name, propagationPolicy);
        await world.client.delete(ConfigMaps, name, { ...NAMESPACE, propagationPolicy });
        await world.clock.advance(1000);
        const present = world.server.objects(ConfigMaps, "default").map(({ metadata }) => [
          metadata.name,
          (metadata.ownerReferences ?? []).map((owner) => owner.name).sort(),
          metadata.deletionTimestamp,
        ]);
        const wanted = [...expected].map(([one, parents]) => [one, parents.sort(), undefined]);
        assertEquals(present.sort(), wanted.sort());
      }
      assertEquals(world.warnings, []);
    }),
    20,
  );
});
