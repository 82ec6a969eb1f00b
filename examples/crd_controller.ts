/**
 * A controller for a custom resource. A Website refers to a ConfigMap with its content. The controller renders the
 * content into another ConfigMap, which the Website owns, and writes the status of the Website.
 *
 * The example shows a resource with schemas, whose CustomResourceDefinition the manager installs; an index (Websites by
 * the ConfigMap with their content), by which a change of the content finds the Websites; owned objects; pruning; a
 * resync period; and a status with a condition. It prints the pages that it renders.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/crd_controller.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/crd_controller.ts --kubeconfig FILE
 * ```
 *
 * On a cluster, the example runs until Ctrl-C and leaves its objects there. To delete them:
 * `kubectl delete crd websites.demo.kubeloop.dev`.
 *
 * @module
 */

import {
  ConfigMaps,
  type ControllerHandle,
  defineResource,
  installDefinitions,
  Manager,
} from "@kubeloop/controller";
import { pause } from "./_pod_life.ts";
import { type Life, runExample, runManager, type Session } from "./_session.ts";

/** The custom resource `websites.demo.kubeloop.dev`: a page to render. */
export const Websites = defineResource({
  group: "demo.kubeloop.dev",
  version: "v1",
  kind: "Website",
  spec: {
    type: "object",
    required: ["title", "contentFrom"],
    properties: { title: { type: "string" }, contentFrom: { type: "string" } },
  },
  status: { type: "object", properties: { configMap: { type: "string" } } },
});

/** Declares the controller: it renders the content of a Website, if there is any, and deletes the page otherwise. */
export function websiteController(manager: Manager): ControllerHandle {
  const websites = manager.cache(Websites);
  return manager.controller(Websites, { workers: 2, every: { ms: 600_000 } })
    .indexes({ content: ({ metadata, spec }) => [`${metadata.namespace}/${spec.contentFrom}`] })
    .owns(ConfigMaps)
    .watches(ConfigMaps, {
      map: ({ metadata }) => websites.byIndex("content", `${metadata.namespace}/${metadata.name}`),
    })
    .reconcile(async ({ object, namespace, name, apply, cache, owned, status, log }) => {
      const { title, contentFrom } = object.spec;
      const content = cache(ConfigMaps).get(contentFrom, namespace);
      if (content === undefined) {
        status({ configMap: null })
          .condition("Ready", "False", "NoContent", `ConfigMap ${contentFrom} not found`);
        // A page that stays would depend on what the content has been once.
        return { prune: true };
      }
      const html = `<h1>${title}</h1><p>${content.data?.text ?? ""}</p>`;
      if (owned(ConfigMaps)[0]?.data?.html !== html) log.info(`rendering ${html}`);
      const page = await apply(ConfigMaps, { metadata: { name: `${name}-page` }, data: { html } });
      status({ configMap: page.metadata.name }).condition("Ready", "True", "Rendered");
      return { prune: true };
    });
}

/** Creates two sites, then their content, changes the content, and deletes a page. */
const life: Life = {
  before: ({ client, signal }) => installDefinitions(client, [Websites], { signal }),
  async during({ client, signal }) {
    const call = { namespace: "default", signal };
    for (const [name, title] of [["home", "Home"], ["blog", "Blog"]] as const) {
      const spec = { title, contentFrom: "greeting" };
      await client.create(Websites, { metadata: { name }, spec }, call);
    }
    const say = async () => {
      await pause(400, signal);
      const { status } = await client.get(Websites, "home", call);
      const [{ reason } = {}] = status?.conditions ?? [];
      console.log(`# the status of home: ${reason}, page ${status?.configMap}`);
    };
    await say();
    console.log("# the content that both sites wait for appears");
    const greeting = { metadata: { name: "greeting" }, data: { text: "hello" } };
    await client.create(ConfigMaps, greeting, call);
    await say();
    console.log("# the content changes");
    await client.patch(ConfigMaps, "greeting", { data: { text: "hello again" } }, call);
    await say();
    console.log("# somebody deletes a page");
    await client.delete(ConfigMaps, "home-page", call);
    await say();
    console.log("# somebody deletes the content");
    await client.delete(ConfigMaps, "greeting", call);
    await say();
  },
};

async function main(session: Session): Promise<void> {
  const { client, namespaces, logger, http, see } = session;
  const manager = new Manager(client, {
    name: "websites",
    definitions: [Websites],
    namespaces,
    logger,
    http,
    see,
  });
  websiteController(manager);
  await runManager(manager, session, [Websites]);
}

if (import.meta.main) {
  await runExample("Renders Websites into ConfigMaps.", life, main);
}
