/** The recipe in docs/runtimes.md for the use of a clone without a registry. */

import { assert, assertEquals } from "@std/assert";
import { nightlyTest } from "../support/kinds_of_tests.ts";

const REPOSITORY = new URL("../../", import.meta.url);

const PROGRAM = `
import { Client, Pods } from "@kubeloop/controller";
import { newStore } from "@kubeloop/controller/cache";
import { ApiServer } from "@kubeloop/testing";

await using server = new ApiServer();
await using client = new Client(server.clientOptions);
const { items } = await client.list(Pods, { namespace: "default" });
console.log(items.length, typeof newStore);
`;

nightlyTest("A program uses a clone by the deno.json of the documentation", async () => {
  const page = await Deno.readTextFile(new URL("docs/runtimes.md", REPOSITORY));
  const config = /\`\`\`json\n(.*?)\`\`\`/s.exec(page)?.[1];
  assert(config !== undefined && config.includes("std_links"));
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/deno.json`, config);
    await Deno.writeTextFile(`${folder}/main.ts`, PROGRAM);
    await Deno.mkdir(`${folder}/vendor`);
    await Deno.symlink(REPOSITORY, `${folder}/vendor/kubeloop`, { type: "dir" });
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--check", "--no-lock", "main.ts"],
      cwd: folder,
    }).output();
    const text = new TextDecoder();
    assertEquals([code, text.decode(stdout)], [0, "0 function\n"], text.decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
