/**
 * A cluster in which a manager and a person write the same field, and what `kubeloop why` prints about it.
 *
 * @module
 */

import {
  Client,
  defineResource,
  Deployments,
  type KubeObject,
  Manager,
} from "@kubeloop/controller";
import { delay, silentLogger } from "@kubeloop/controller/base";
import { generationChanged } from "@kubeloop/controller/operator";
import { cli, SERVER } from "../kubectl/cli/_cli.ts";
import { namespace, widgetsIn, World } from "../kubectl/cli/_world.ts";
import { CustomResourceDefinitions } from "@kubeloop/controller/types";

const Widgets = defineResource<KubeObject & { spec: { size: number } }>({
  group: "acme.io",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const MANAGER = "http://127.0.0.1:8080";

/** The time that each answer takes. */
const ANSWER_MS = 4;

/** The command, as a person types it. */
export const WHY_COMMAND = `kubeloop why deploy/web spec.replicas --manager ${MANAGER} --limit 2`;

/** Runs {@linkcode WHY_COMMAND} in a terminal with colours, and returns what it prints. */
export async function why(): Promise<string> {
  await using world = new World({ actors: {} });
  const { clock, server } = world;
  await world.until(world.client.create(CustomResourceDefinitions, widgetsIn("acme.io")));
  const client = new Client({
    ...server.clientOptions,
    logger: silentLogger,
    fetch: async (request) => {
      await delay(ANSWER_MS, { clock });
      return await server.fetch(request);
    },
  });
  const manager = new Manager(client, { name: "widgets" });
  manager.controller(Widgets).owns(Deployments, { when: generationChanged }).reconcile(
    async ({ apply, object }) => {
      const labels = { app: object.metadata.name };
      await apply(Deployments, {
        metadata: { name: object.metadata.name },
        spec: {
          replicas: object.spec.size,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "main", image: "nginx" }] },
          },
        },
      });
    },
  );
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await clock.advance(1000);
  await world.until(client.create(Widgets, {
    metadata: { name: "web" },
    spec: { size: 3 },
  }, { namespace }));
  await clock.advance(240_000);
  await world.until(client.patch(Deployments, "web", { spec: { replicas: 1 } }, {
    namespace,
    fieldManager: "kubectl-scale",
  }));
  await clock.advance(20_000);

  const fetch: typeof server.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { port, search } = new URL(request.url);
    if (port !== "8080") return await server.fetch(input, init);
    return await manager.handler(new Request(`http://pod/debug/reconciles${search}`));
  };
  const [, ...args] = WHY_COMMAND.split(" ");
  const { stdout } = await clock.run(
    cli([...args, "--color", "always", ...SERVER], { fetch, clock }),
  );
  stop.abort();
  await clock.run(running);
  await client.close();
  return stdout;
}
