import { assertEquals, assertStringIncludes } from "@std/assert";
import { leaker } from "./_operators.ts";
import { testOn } from "../support/kinds_of_tests.ts";

testOn(
  ["deno"],
  "writes files by the API of Deno",
  "explore() writes its report as a page and as JSON",
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      const report = await leaker({ name: "../my sim" }).explore({ reports: `${folder}/reports` });
      const names = (await Array.fromAsync(Deno.readDir(`${folder}/reports`)))
        .map(({ name }) => name).sort();
      assertEquals(names, ["-my-sim.html", "-my-sim.json"]);
      const text = await Deno.readTextFile(`${folder}/reports/-my-sim.json`);
      assertEquals(JSON.parse(text), JSON.parse(JSON.stringify(report)));
      const page = await Deno.readTextFile(`${folder}/reports/-my-sim.html`);
      assertStringIncludes(page, "2 load balancers");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
