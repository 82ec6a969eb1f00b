import { assertEquals } from "@std/assert";
import { KINDS, missingExports, writeExports } from "./kind_exports.ts";

Deno.test("the room of each kind exports it", async () => {
  assertEquals(await missingExports(KINDS), [], "see kind_exports.ts");
});

/** A kind that has a schema but no resource of its own: Pods have it as a subresource. */
const NEW_KIND = `
import { defineKind, type KindRecord } from "../record/mod.ts";

export const EVICTION: KindRecord = defineKind("policy/v1", "evictions", "Eviction", {
  validate: () => [],
});
`;

const PROGRAM = `
import { ApiServer } from "./src/testing/mod.ts";
await using server = new ApiServer();
const url = "http://cluster/apis/policy/v1/namespaces/default/evictions";
const body = JSON.stringify({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "new" } });
const headers = { "content-type": "application/json" };
const { status } = await server.fetch(new Request(url, { method: "POST", headers, body }));
const { items } = await (await server.fetch(new Request(url))).json();
console.log(status, items.map((one) => one.metadata.name).join());
`;

Deno.test("adding a kind is adding one file: the server then stores and lists its objects", async () => {
  const home = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    await linkAll(new URL("../../../../", KINDS), home, [
      "src",
      "testing",
      "api_server",
      "kinds",
      "policy",
    ]);
    const kinds = new URL("src/testing/api_server/kinds/", home);
    await Deno.writeTextFile(new URL("policy/eviction.ts", kinds), NEW_KIND);
    const missing = await missingExports(kinds);
    assertEquals(missing.map(({ line }) => line), [
      'export { EVICTION } from "./eviction.ts";',
    ]);
    await writeExports(missing);
    await Deno.writeTextFile(new URL("program.ts", home), PROGRAM);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-all", "program.ts"],
      cwd: home,
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertEquals(text(stdout), "201 new\n", text(stderr));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** Copies the last folder of `path` and links everything beside the path. */
async function linkAll(from: URL, to: URL, [next, ...rest]: readonly string[]): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isFile } of Deno.readDir(from)) {
    const [source, target] = [new URL(name, from), new URL(name, to)];
    if (name === next) await linkAll(new URL(`${name}/`, from), new URL(`${name}/`, to), rest);
    else if (next === undefined && isFile) await Deno.copyFile(source, target);
    else await Deno.symlink(source, target);
  }
}
