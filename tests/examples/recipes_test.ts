/** The recipes of docs/recipes.md are programs of the kind that the page declares: they compile together. */

import { assert, assertEquals } from "@std/assert";
import { readText } from "./_documented.ts";
import { ROOT } from "./_permitted.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";

const HEAD = `
import { Client, ConfigMaps, Manager, Pods, Secrets, TerminalError } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { assertEquals } from "@std/assert";
import { Widgets } from "./widgets.ts";

declare const manager: Manager;
declare const client: Client;
declare const server: ApiServer;
declare const clock: VirtualClock;
declare const namespace: string;
declare const spec: { image: string; secret: string };
declare function ensureBucket(key: string, signal: AbortSignal): Promise<void>;
declare function deleteBucket(key: string, signal: AbortSignal): Promise<void>;
declare function refresh(key: string, signal: AbortSignal): Promise<void>;
`;

nightlyTest("the recipes of docs/recipes.md compile", async () => {
  const page = await readText("docs/recipes.md");
  const widgets = /^```ts\n(import \{ defineResource[^]*?)^```$/m.exec(page)?.[1];
  assert(widgets !== undefined);
  const recipes = [...page.matchAll(/^```ts ignore\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
  assertEquals(recipes.length, 12);
  const functions = recipes.map((code, index) =>
    `export async function recipe${index}() {\n${code}}\n`
  );
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-recipes-" });
  try {
    await Deno.writeTextFile(`${folder}/widgets.ts`, widgets);
    await Deno.writeTextFile(`${folder}/recipes.ts`, HEAD + functions.join(""));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", `--config=${ROOT}deno.json`, "recipes.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
