import { assert, assertEquals } from "@std/assert";
import { BUILTIN_KINDS } from "../../src/testing/api_server/kinds/builtin_kinds.ts";
import * as kinds from "../../src/kinds/mod.ts";
import { apiVersionOf } from "../../src/types/mod.ts";
import { descriptors, files } from "./_descriptors.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("deno.json has an entry point for each API group and version", async () => {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const entries = Object.entries(exports).filter(([name]) => name.startsWith("./types/"));
  const expected = await files();
  assertEquals(
    entries,
    expected.map((file) =>
      [`./types/${file.slice(0, -3)}`, `./src/kinds/${file}`] as [string, unknown]
    ),
  );
});

Deno.test("there is a descriptor of each kind that the API server serves, as the server has it", async () => {
  const all = [...(await descriptors()).values()];
  for (const { definition } of BUILTIN_KINDS) {
    const { group, version, kind, plural, namespaced } = definition;
    const own = all.filter((one) => one.kind === kind && one.group === group);
    assertEquals(
      own.find((one) => one.version === version),
      { group, version, plural, kind, namespaced },
      `${group}/${version} ${kind}`,
    );
  }
  assert(all.length > BUILTIN_KINDS.length);
});

Deno.test("./types exports the same descriptors as the API groups, all frozen", async () => {
  const all = new Set((await descriptors()).values());
  const often = Object.entries(kinds);
  assert(often.length > 10);
  for (const [name, descriptor] of often) assert(all.has(descriptor), name);
  for (const descriptor of all) assert(Object.isFrozen(descriptor), descriptor.plural);
});

Deno.test("each descriptor is defined once, and is named after the kind", async () => {
  const resources = new Set<string>();
  for (const [name, descriptor] of await descriptors()) {
    const [, constant = ""] = name.split(" ");
    assertEquals(constant.toLowerCase(), descriptor.plural, name);
    assert(constant.startsWith(descriptor.kind.slice(0, -1)), name);
    resources.add(`${apiVersionOf(descriptor)} ${descriptor.plural}`);
  }
  assertEquals(resources.size, (await descriptors()).size);
});
