import { readText } from "./_documented.ts";
import { followGuide } from "./_guide.ts";
import { ROOT } from "./_permitted.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

slowTest("a new user with Deno can follow the guide word by word", async () => {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-guide-" });
  try {
    // The packages come from a clone, as docs/runtimes.md says for machines without a registry.
    const [, links = ""] = /```json\n([^]*?)```/.exec(await readText("docs/runtimes.md")) ?? [];
    const config = JSON.parse(links);
    const { imports: { zod } } = JSON.parse(await readText("deno.json"));
    config.imports.zod = zod;
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    await Deno.mkdir(`${folder}/vendor`);
    await Deno.symlink(ROOT, `${folder}/vendor/kubeloop`, { type: "dir" });
    await Deno.mkdir(`${folder}/bin`);
    await Deno.symlink(Deno.execPath(), `${folder}/bin/deno`);
    const PATH = `${folder}/bin:${Deno.env.get("PATH")}`;
    await followGuide("Deno", folder, {
      env: { PATH, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" },
      // The clone that the recipe links has links of its own.
      noise: /^Warning "links" field can only be specified .*\n.*$/,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
