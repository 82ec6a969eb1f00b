/**
 * Creates, lists and watches objects with the kubeconfig that is its last argument: over TLS, with a CA and a client
 * certificate. It awaits nothing at the top level, so that builders can make CommonJS of it.
 *
 * @module
 */

import process from "node:process";
import { Client, ConfigMaps, loadConfig } from "@kubeloop/controller";

async function main() {
  const client = new Client(await loadConfig({ kubeconfig: process.argv.at(-1) }));
  const namespace = "default";
  const { metadata: { name } } = await client.create(ConfigMaps, {
    metadata: { generateName: "built-", namespace },
  });
  const { items } = await client.list(ConfigMaps, { namespace });
  const found = items.some(({ metadata }) => metadata.name === name);
  for await (const { type } of await client.watch(ConfigMaps, { namespace })) {
    console.log(found && type === "ADDED" ? "listed and watched" : `Not found, or ${type}`);
    break;
  }
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
