/**
 * A controller for a custom resource. A Website refers to a ConfigMap with its content. The controller renders the
 * content into another ConfigMap, which the Website owns, and writes the status of the Website.
 *
 * The example shows a CustomResourceDefinition, a SharedInformerFactory, two handlers with different resync periods, an
 * index function (Websites by the ConfigMap with their content), owner references and the status subresource. It prints
 * the pages that it renders.
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
  type ApplyConfiguration,
  type Cached,
  type Client,
  type ConfigMap,
  ConfigMaps,
  Controller,
  controllerOf,
  controllerReference,
  type CustomResourceDefinition,
  defineResource,
  DeletedFinalStateUnknown,
  isNotFound,
  joinMetaNamespaceKey,
  type KubeObject,
  type Logger,
  metaNamespaceKeyFunc,
  type Resource,
  type SharedInformer,
  SharedInformerFactory,
  splitMetaNamespaceKey,
} from "@kubeloop/controller";
import { ensureDefinition } from "./_crd.ts";
import { pause } from "./_pod_life.ts";
import { type Life, runExample, type Session } from "./_session.ts";

/** The custom resource: a page to render. */
export interface Website extends KubeObject {
  spec: { title: string; contentFrom: string };
  status?: { configMap?: string; observedGeneration?: number; message?: string };
}

/** The resource `websites.demo.kubeloop.dev`. */
export const Websites: Resource<Website> = defineResource<Website>({
  group: "demo.kubeloop.dev",
  version: "v1",
  plural: "websites",
  kind: "Website",
  namespaced: true,
});

const MANAGER = "website-controller";

const definition: ApplyConfiguration<CustomResourceDefinition> = {
  metadata: { name: "websites.demo.kubeloop.dev" },
  spec: {
    group: "demo.kubeloop.dev",
    scope: "Namespaced",
    names: { plural: "websites", singular: "website", kind: "Website", listKind: "WebsiteList" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: "object",
          required: ["spec"],
          properties: {
            spec: {
              type: "object",
              required: ["title", "contentFrom"],
              properties: { title: { type: "string" }, contentFrom: { type: "string" } },
            },
            status: {
              type: "object",
              properties: {
                configMap: { type: "string" },
                observedGeneration: { type: "integer" },
                message: { type: "string" },
              },
            },
          },
        },
      },
    }],
  },
};

/** The controller and its caches. */
export class WebsiteController {
  /** The cache of Websites. */
  readonly websites: SharedInformer<Website>;
  /** The cache of ConfigMaps: the content and the rendered pages. */
  readonly configMaps: SharedInformer<ConfigMap>;
  readonly #client: Client;
  readonly #logger: Logger;
  readonly #controller: Controller;

  constructor(client: Client, options: { namespace?: string | undefined; logger: Logger }) {
    const { namespace, logger } = options;
    this.#client = client;
    this.#logger = logger;
    const informers = new SharedInformerFactory(client, { logger, resyncPeriodMs: 2000 });
    this.websites = informers.informer(Websites, { namespace });
    this.configMaps = informers.informer(ConfigMaps, { namespace });

    this.websites.addIndexers({
      contentFrom: ({ metadata, spec }) => [`${metadata.namespace}/${spec.contentFrom}`],
    });
    // A second handler of the same informer. Its resync period is half of the controller's.
    this.websites.addEventHandler({
      onUpdate: (old, { metadata }) => {
        if (old.metadata.resourceVersion !== metadata.resourceVersion) return;
        logger.info(`resync: ${metadata.name} is still there`);
      },
    }, { resyncPeriodMs: 1000 });

    this.#controller = new Controller({
      informer: this.websites,
      waitFor: [this.configMaps],
      cacheSyncTimeoutMs: 30_000,
      logger,
      reconcile: (key, { signal }) => this.#reconcile(key, signal),
    });
    this.configMaps.addEventHandler({
      onAdd: (configMap) => this.#enqueueSitesOf(configMap),
      onUpdate: (_old, configMap) => this.#enqueueSitesOf(configMap),
      onDelete: (last) => {
        const configMap = DeletedFinalStateUnknown.lastKnownState(last);
        if (configMap !== undefined) this.#enqueueSitesOf(configMap);
      },
    });
  }

  /** Runs until `signal` aborts. */
  run(options: { workers: number; signal: AbortSignal }): Promise<void> {
    return this.#controller.run(options);
  }

  /** Enqueues the sites whose content is in `configMap`, and the site that owns `configMap`. */
  #enqueueSitesOf(configMap: Cached<ConfigMap>): void {
    const { indexer } = this.websites;
    for (const key of indexer.indexKeys("contentFrom", metaNamespaceKeyFunc(configMap))) {
      this.#controller.enqueue(key);
    }
    const owner = controllerOf(configMap, Websites);
    if (owner === undefined) return;
    this.#controller.enqueue(joinMetaNamespaceKey(configMap.metadata.namespace, owner.name));
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const site = this.websites.indexer.getByKey(key);
    // The garbage collector deletes the dependents of the site by their owner references.
    if (site === undefined) return;
    const { namespace, name } = splitMetaNamespaceKey(key);
    const content = this.configMaps.indexer.getByKey(`${namespace}/${site.spec.contentFrom}`);
    const rendered = `${name}-page`;
    const page = this.configMaps.indexer.getByKey(`${namespace}/${rendered}`);
    if (content === undefined) {
      // A page that stays would depend on what the content has been once.
      if (page !== undefined) await this.#deletePage(page, signal);
      await this.#writeStatus(
        site,
        { message: `ConfigMap ${site.spec.contentFrom} not found` },
        signal,
      );
      return;
    }
    const html = `<h1>${site.spec.title}</h1><p>${content.data?.text ?? ""}</p>`;
    if (page?.data?.html !== html) {
      await this.#client.apply(ConfigMaps, {
        metadata: {
          name: rendered,
          namespace,
          ownerReferences: [controllerReference(site, Websites)],
        },
        data: { html },
      }, { fieldManager: MANAGER, force: true, signal });
      this.#logger.info(`rendered ${key}: ${html}`);
    }
    await this.#writeStatus(site, { configMap: rendered, message: "rendered" }, signal);
  }

  async #deletePage({ metadata }: Cached<ConfigMap>, signal: AbortSignal): Promise<void> {
    const { name, namespace, uid } = metadata;
    const call = { namespace, preconditions: { uid }, signal };
    await this.#client.delete(ConfigMaps, name, call).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    this.#logger.info(`deleted ${namespace}/${name}`);
  }

  async #writeStatus(
    site: Cached<Website>,
    status: NonNullable<Website["status"]>,
    signal: AbortSignal,
  ): Promise<void> {
    const observedGeneration = site.metadata.generation ?? 0;
    const { status: current } = site;
    if (
      current?.observedGeneration === observedGeneration && current.message === status.message &&
      current.configMap === status.configMap
    ) return;
    const { name, namespace } = site.metadata;
    // In a merge patch, null removes a field that an earlier status had.
    const { configMap = null, message } = status;
    await this.#client.patchStatus(
      Websites,
      name,
      { status: { configMap, message, observedGeneration } },
      { namespace, signal },
    );
  }
}

/** Creates the CustomResourceDefinition of Websites and waits until the server serves it. */
export function ensureWebsites(client: Client, signal: AbortSignal): Promise<void> {
  return ensureDefinition(client, definition, signal);
}

/** Creates two sites, then their content, changes the content, and deletes a page. */
const life: Life = {
  before: ({ client, signal }) => ensureWebsites(client, signal),
  async during({ client, signal }) {
    const call = { namespace: "default", signal };
    const site = (name: string, title: string): Website => ({
      metadata: { name, namespace: "default" },
      spec: { title, contentFrom: "greeting" },
    });
    await client.create(Websites, site("home", "Home"), call);
    await client.create(Websites, site("blog", "Blog"), call);
    await pause(300, signal);
    console.log("# the content that both sites wait for appears");
    await client.create(
      ConfigMaps,
      { metadata: { name: "greeting" }, data: { text: "hello" } },
      call,
    );
    await pause(400, signal);
    console.log("# the content changes");
    await client.patch(ConfigMaps, "greeting", { data: { text: "hello again" } }, call);
    await pause(400, signal);
    console.log("# somebody deletes a page");
    await client.delete(ConfigMaps, "home-page", call);
    await pause(1500, signal);
    const { status } = await client.get(Websites, "home", call);
    console.log(`# the status of home: ${JSON.stringify(status)}`);
  },
};

async function main({ client, namespace, signal, logger }: Session): Promise<void> {
  await ensureWebsites(client, signal);
  await new WebsiteController(client, { namespace, logger }).run({ workers: 2, signal });
}

if (import.meta.main) {
  await runExample("Renders Websites into ConfigMaps.", life, main);
}
