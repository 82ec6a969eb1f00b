/** The published upgrades of `examples/rehearse/`: the rehearsal names the Pods that restart, and the field. */

import { rehearse } from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Upgrade } from "../../examples/rehearse/_upgrade.ts";

const folder = new URL("../../examples/rehearse/", import.meta.url);
const files = [...Deno.readDirSync(folder)].map(({ name }) => name)
  .filter((name) => name.endsWith(".ts") && !name.startsWith("_")).sort();

Deno.test("examples/rehearse/ has upgrades", () => assertEquals(files.length, 4));

for (const file of files) {
  const { upgrade } = await import(new URL(file, folder).href) as { upgrade: Upgrade };
  const { after, before, restarts, upstream, world } = upgrade;

  Deno.test(`${file}: the rehearsal names the Pods and the field`, async () => {
    const rehearsal = await rehearse({ world, before, after });
    const found = rehearsal.restarts.map(({ fields, how, owner, pods }) => ({
      owner,
      how,
      pods,
      fields: fields.map(({ field }) => field).sort(),
    }));
    assertEquals(found, [restarts], String(rehearsal));
    for (const field of restarts.fields) assert(String(rehearsal).includes(field));
  });

  Deno.test(`${file}: without an upgrade, nothing differs`, async () => {
    const rehearsal = await rehearse({ world, before, after: before });
    assertEquals([rehearsal.isSame, rehearsal.tables()], [true, []]);
  });

  Deno.test(`${file}: has the link of the issue`, () => {
    assertMatch(upstream, /^https:\/\/github\.com\/[^/]+\/[^/]+\/issues\/\d+$/);
  });
}
