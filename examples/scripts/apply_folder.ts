/**
 * Applies all manifests of a folder, in an order in which they find what they need, and says what has changed.
 *
 * On an in-process server, with manifests of its own and without any permission; or on the cluster of a kubeconfig, whose
 * server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/scripts/apply_folder.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE,FOLDER examples/scripts/apply_folder.ts --kubeconfig FILE FOLDER
 * ```
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import { applyAll } from "@kubeloop/kubectl";
import { runExample } from "../_session.ts";
import { empty, manifests } from "./_life.ts";

async function textsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  return await Promise.all(names.map((name) => readFile(`${folder}/${name}`, "utf8")));
}

await runExample("Applies the manifests of a folder: give its path.", empty, async (session) => {
  const { args: [folder], client, namespace, onCluster, signal } = session;
  if (onCluster && folder === undefined) throw new TypeError("Give a folder with manifests");
  const texts = folder === undefined ? manifests : await textsIn(folder);
  const results = await applyAll(client, texts, { namespace, signal });
  for (const { kind, name, status } of results) console.log(`${kind} ${name} ${status}`);
});
