import { assertEquals } from "@std/assert";
import { KeptBuild } from "./_kept_build.ts";

/** Makes a repository with a built package. */
async function repository(): Promise<string> {
  const root = `${await Deno.makeTempDir({ prefix: "kubeloop-kept-" })}/`;
  await Deno.mkdir(`${root}src/deep`, { recursive: true });
  await Deno.mkdir(`${root}tests/package`, { recursive: true });
  await Deno.mkdir(`${root}dist/npm`, { recursive: true });
  for (const name of ["deno.json", "LICENSE", "mod.ts", "README.md", "src/deep/a.ts"]) {
    await Deno.writeTextFile(`${root}${name}`, name);
  }
  await Deno.writeTextFile(`${root}dist/npm/a.js`, "a");
  return root;
}

Deno.test("KeptBuild is current until a source or a package changes", async (t) => {
  const root = await repository();
  const kept = new KeptBuild(root);
  const change = (path: string, text: string) => Deno.writeTextFile(`${root}${path}`, text);

  await t.step("not before the first build", async () => {
    assertEquals(await kept.isCurrent(), false);
  });
  await kept.keep();
  await t.step("after a build", async () => assertEquals(await kept.isCurrent(), true));
  await t.step("not with another source", async () => {
    await change("src/deep/a.ts", "b");
    assertEquals(await kept.isCurrent(), false);
    await change("src/deep/a.ts", "src/deep/a.ts");
    assertEquals(await kept.isCurrent(), true);
  });
  await t.step("not with a source of another name", async () => {
    await Deno.rename(`${root}src/deep/a.ts`, `${root}src/deep/b.ts`);
    assertEquals(await kept.isCurrent(), false);
    await Deno.rename(`${root}src/deep/b.ts`, `${root}src/deep/a.ts`);
  });
  await t.step("not with another package", async () => {
    await change("dist/npm/a.js", "b");
    assertEquals(await kept.isCurrent(), false);
    await change("dist/npm/a.js", "a");
  });
  await t.step("not with a record that is cut off", async () => {
    const record = await Deno.readTextFile(`${root}dist/built.json`);
    await change("dist/built.json", record.slice(0, 9));
    assertEquals(await kept.isCurrent(), false);
    await change("dist/built.json", record);
    assertEquals(await kept.isCurrent(), true);
  });
  await t.step("not while a build runs", async () => {
    await kept.forget();
    assertEquals(await kept.isCurrent(), false);
    await kept.forget();
  });
  await Deno.remove(root, { recursive: true });
});
