import { assert, assertEquals, assertRejects } from "@std/assert";
import { Simulation } from "@kubeloop/testing/simulation";
import { EXAMPLES } from "../../site/playground/examples.ts";
import { linkOf, MAX_LINK, sketchOf } from "../../site/playground/page/link.ts";
import { PLAYGROUND_PACKAGES, ROOT } from "../package/_tools.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";

/** A part of what the simulation of each example says. */
const BUGS: Readonly<Record<string, string>> = {
  widgets: "two Deployments for one Widget",
  settings: `data.mode should be "fast" and is "safe"`,
  heartbeat: "62 times within a minute",
  tickets: "two Tickets have the same number",
};

async function explore(name: string, plans: number) {
  const url = new URL(`../../site/playground/examples/${name}.ts`, import.meta.url);
  const { default: simulation, operator } = await import(url.href);
  assert(simulation instanceof Simulation && typeof operator === "function", name);
  return await simulation.explore({ budget: { findings: 1, plans }, progress: false });
}

for (const { id } of EXAMPLES) {
  Deno.test(`example ${id} of the playground: its bug is found within 50 plans`, async () => {
    const [finding] = (await explore(id, 50)).findings;
    const messages = finding?.wrong.map(({ message }) => message).join("\n") ?? "";
    assert(messages.includes(BUGS[id]!), messages);
  });

  nightlyTest(`example ${id} of the playground: the repaired program has no bug`, async () => {
    const report = await explore(`${id}_repaired`, 300);
    assertEquals(report.findings.map(String), []);
  });
}

Deno.test("linkOf() and sketchOf() round-trip programs and objects", async () => {
  for (const program of ["", "const ü = '🚀';\n", "x".repeat(60_000)]) {
    const sketch = { program, yaml: `${program}: [a, "b"]` };
    const link = await linkOf(sketch);
    assert(link !== undefined && /^#program=[\w-]*$/.test(link), link);
    assertEquals(await sketchOf(link), sketch);
  }
  assertEquals(await sketchOf(""), undefined);
  assertEquals(await sketchOf("#example=widgets"), undefined);
});

Deno.test("linkOf() refuses a program that is too long for a link", async () => {
  const random = crypto.getRandomValues(new Uint8Array(MAX_LINK));
  assertEquals(await linkOf({ program: String.fromCharCode(...random), yaml: "" }), undefined);
});

Deno.test("sketchOf() refuses links that are damaged, too long, or expand to too much", async () => {
  const bomb = await linkOf({ program: "x".repeat(5_000_000), yaml: "" });
  const link = (await linkOf({ program: "const a = 1;", yaml: "" }))!;
  const bad = [
    bomb!,
    link.slice(0, -12),
    `${link}%`,
    "#program=",
    "#program=eJw",
    `#program=${"A".repeat(MAX_LINK + 1)}`,
  ];
  for (const hash of bad) {
    await assertRejects(() => sketchOf(hash), SyntaxError, "does not hold a program");
  }
});

Deno.test("the playground is built of the versions that its types are of", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const exact = Object.entries(PLAYGROUND_PACKAGES).filter(([name]) => name in imports);
  assert(exact.length >= 9);
  for (const [name, version] of exact) {
    assertEquals(imports[name].replace("@^", "@"), `npm:${name}@${version}`);
  }
});
