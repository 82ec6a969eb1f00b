/**
 * The environment of the end-to-end tests: their own control plane, or the cluster of KUBELOOP_E2E_KUBECONFIG.
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
} from "@kubeloop/controller";
import type { DeepReadonly } from "@kubeloop/controller/types";
import { Cluster, type ClusterOptions } from "./cluster.ts";

const EVENTUALLY_MS = 60_000;

/** A cluster, with a namespace for one test. */
export class World implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly client: Client;
  readonly namespace: string;
  /** The cluster; undefined on a cluster of KUBELOOP_E2E_KUBECONFIG, which tests must not break. */
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

  /** Starts or finds the cluster, and creates the namespace. */
  static async create(options: ClusterOptions = {}): Promise<World> {
    const given = Deno.env.get("KUBELOOP_E2E_KUBECONFIG");
    const cluster = given === undefined ? await Cluster.start(options) : undefined;
    const kubeconfig = given ?? cluster?.kubeconfig ?? "";
    const client = new Client(await loadConfig({ kubeconfig }));
    const namespace = `kubeloop-e2e-${crypto.randomUUID().slice(0, 8)}`;
    await client.create(Namespaces, { metadata: { name: namespace } });
    return new World({ kubeconfig, client, namespace, cluster });
  }

  /** Kills the API server and starts it again; only logs a line on a cluster of KUBELOOP_E2E_KUBECONFIG. */
  async restartApiServer(): Promise<void> {
    if (this.cluster === undefined) {
      console.log(
        "no restart of the API server: the cluster of KUBELOOP_E2E_KUBECONFIG is not ours",
      );
      return;
    }
    await this.cluster.restartApiServer();
  }

  /** Resolves when `cache` equals a list from the API server, by key and resource version. */
  async cacheEqualsCluster<T extends KubeObject>(
    cache: { list(): readonly DeepReadonly<KubeObject>[] },
    resource: Resource<T>,
  ): Promise<void> {
    const versions = (objects: readonly DeepReadonly<KubeObject>[]) =>
      objects.map((object) => `${metaNamespaceKeyFunc(object)}@${object.metadata.resourceVersion}`)
        .sort().join("\n");
    await eventually(`the cache of ${resource.plural} equals the cluster`, async () => {
      const { items } = await this.client.list(resource, { namespace: this.namespace });
      return versions(items) === versions(cache.list());
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.cluster === undefined) await this.client.delete(Namespaces, this.namespace);
    await this.client.close();
    await this.cluster?.[Symbol.asyncDispose]();
  }
}

/** A client whose connections a test disturbs. */
export interface DisturbedClient extends AsyncDisposable {
  readonly client: Client;
  /** Breaks all connections, as the end of the machine would: from now on no request gets through. */
  kill(): void;
}

/** Returns a client that can be cut off, and whose events of a watch come `lagMs` apart or later. */
export async function disturbedClient(
  { kubeconfig }: World,
  { lagMs = 0 }: { readonly lagMs?: number } = {},
): Promise<DisturbedClient> {
  const { server, caData, caFile, token } = await loadConfig({ kubeconfig });
  const http = Deno.createHttpClient({ caCerts: [caData ?? await Deno.readTextFile(caFile!)] });
  const death = new AbortController();
  const client = new Client({
    server,
    token,
    fetch: async (request) => {
      const signal = AbortSignal.any([request.signal, death.signal]);
      const response = await fetch(request, { client: http, signal });
      if (lagMs === 0 || !new URL(request.url).searchParams.has("watch")) return response;
      const lag = new TransformStream<Uint8Array, Uint8Array>({
        transform: async (chunk, controller) => {
          await new Promise((resolve) => setTimeout(resolve, lagMs));
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(lag), response);
    },
  });
  return {
    client,
    kill: () => death.abort(new TypeError("the network is gone")),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      http.close();
    },
  };
}

/** Polls every 100 ms until `check` returns true. An error counts as false; on timeout the last one is the cause. */
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
