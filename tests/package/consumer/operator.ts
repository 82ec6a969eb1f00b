/**
 * An operator that reconciles one object with the kubeconfig that is its last argument, and ends: over TLS, with a CA and a
 * client certificate. It awaits nothing at the top level, so that builders can make CommonJS of it.
 *
 * @module
 */

import process from "node:process";
import { Client, ConfigMaps, loadConfig, Manager } from "@kubeloop/controller";

async function main() {
  const client = new Client(await loadConfig({ kubeconfig: process.argv.at(-1) }));
  const namespace = "default";
  const { metadata: { name } } = await client.create(ConfigMaps, {
    metadata: { generateName: "built-", namespace },
  });
  const manager = new Manager(client, { logger: { ...console, info() {}, debug() {} } });
  const stop = new AbortController();
  manager.controller(ConfigMaps).reconcile(async ({ object, apply }) => {
    if (object.metadata.name !== name) return;
    const { data } = await apply(ConfigMaps, {
      metadata: { name: `${name}-copy` },
      data: { a: "1" },
    });
    console.log(data?.["a"] === "1" ? "reconciled" : "Not applied");
    stop.abort();
  });
  await manager.run({ signal: stop.signal });
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
