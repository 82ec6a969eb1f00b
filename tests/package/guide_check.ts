/** Follows the guide on Node, with the npm packages. `deno task npm` must have built them before. */

import { assert } from "@std/assert";
import { followGuide } from "../examples/_guide.ts";
import { Installed } from "./_installed.ts";
import { npm, ROOT, runtimes } from "./_tools.ts";

Deno.test("a new user with Node and npm can follow the guide word by word", async () => {
  await using project = await Installed.create();
  const { folder, tarballs } = project;
  const { imports: { zod } } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const library = "@kubeloop/controller";
  const alias = tarballs.has(library) ? [] : [`${library}@file:${tarballs.get("kubeloop")}`];
  await npm(["install", ...alias, zod.replace("npm:", "")], folder);
  const node = (await runtimes()).find(({ name }) => /^Node 2[4-9]/i.test(name));
  assert(node !== undefined, "Node 24 is not installed");
  await Deno.mkdir(`${folder}/bin`);
  await Deno.symlink(node.path, `${folder}/bin/node`);
  const PATH = `${folder}/bin:${Deno.env.get("PATH")}`;
  await followGuide("Node", folder, { env: { PATH, NO_COLOR: "1" } });
});
