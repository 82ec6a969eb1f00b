/**
 * Where the end-to-end tests run: a control plane of their own, or the cluster of KUBELOOP_E2E_KUBECONFIG.
 *
 * @module
 */

import {
  Client,
  type KubeObject,
  loadConfig,
  metaNamespaceKeyFunc,
  Namespaces,
  type Resource,
  type SharedInformer,
} from "@kubeloop/controller";
import { Cluster } from "./cluster.ts";

const EVENTUALLY_MS = 60_000;

/** A cluster and a namespace in it that is the test's own. */
export class World implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly client: Client;
  readonly namespace: string;
  /** Undefined on a cluster that is not ours to break. */
  readonly cluster: Cluster | undefined;

  private constructor(parts: {
    kubeconfig: string;
    client: Client;
    namespace: string;
    cluster: Cluster | undefined;
  }) {
    this.kubeconfig = parts.kubeconfig;
    this.client = parts.client;
    this.namespace = parts.namespace;
    this.cluster = parts.cluster;
  }

  /** Starts or finds the cluster, and makes the namespace. */
  static async create(): Promise<World> {
    const given = Deno.env.get("KUBELOOP_E2E_KUBECONFIG");
    const cluster = given === undefined ? await Cluster.start() : undefined;
    const kubeconfig = given ?? cluster?.kubeconfig ?? "";
    const client = new Client(await loadConfig({ kubeconfig }));
    const namespace = `kubeloop-e2e-${crypto.randomUUID().slice(0, 8)}`;
    await client.create(Namespaces, { metadata: { name: namespace } });
    return new World({ kubeconfig, client, namespace, cluster });
  }

  /** Kills the API server and starts it again; says so where that is not possible. */
  async restartApiServer(): Promise<void> {
    if (this.cluster === undefined) {
      console.log(
        "no restart of the API server: the cluster of KUBELOOP_E2E_KUBECONFIG is not ours",
      );
      return;
    }
    await this.cluster.restartApiServer();
  }

  /** Resolves when the cache of `informer` holds what the API server lists, by key and resource version. */
  async cacheEqualsCluster<T extends KubeObject>(
    informer: Pick<SharedInformer<T>, "indexer">,
    resource: Resource<T>,
  ): Promise<void> {
    const versions = (objects: T[]) =>
      objects.map((object) => `${metaNamespaceKeyFunc(object)}@${object.metadata.resourceVersion}`)
        .sort().join("\n");
    await eventually(`the cache of ${resource.plural} equals the cluster`, async () => {
      const { items } = await this.client.list(resource, { namespace: this.namespace });
      return versions(items) === versions(informer.indexer.list());
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.cluster === undefined) await this.client.delete(Namespaces, this.namespace);
    await this.client.close();
    await this.cluster?.[Symbol.asyncDispose]();
  }
}

/** Looks every 100 ms until `check` answers true; what it throws counts as false, and is told in the end. */
export async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + EVENTUALLY_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      if (await check()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Not within ${EVENTUALLY_MS} ms: ${what}`, { cause: last });
}
