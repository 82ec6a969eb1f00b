/**
 * A kubelet without containers: an HTTPS server to which a real API server passes requests for logs. It serves the logs of
 * an in-process server.
 *
 * @module
 */

import { silentLogger } from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import { serveHttp } from "@kubeloop/controller/serving";
import { Namespaces, Nodes, type Pod, Pods } from "@kubeloop/controller/types";
import { ApiServer, type PodLogs } from "@kubeloop/testing";
import { CertificateAuthority } from "../support/certificates.ts";

const NODE = "stand-in";

/** The state of a container, as a kubelet reports it. */
export interface ContainerReport {
  readonly container?: string;
  readonly restartCount?: number;
  readonly state: Record<string, unknown>;
  readonly lastState?: Record<string, unknown>;
}

/** The stand-in, as a Node of a real API server. */
export class KubeletStandIn implements AsyncDisposable {
  readonly #real: Client;
  readonly #own: ApiServer;
  readonly #client: Client;
  readonly #close: () => Promise<void>;

  private constructor(real: Client, own: ApiServer, close: () => Promise<void>) {
    this.#real = real;
    this.#own = own;
    this.#client = new Client(own.clientOptions);
    this.#close = close;
  }

  /** Starts the stand-in, and registers its Node at the server of `real`. */
  static async start(real: Client): Promise<KubeletStandIn> {
    const own = new ApiServer({ logger: silentLogger });
    const authority = await CertificateAuthority.create();
    const tls = await authority.issue({ name: "CN=stand-in", hosts: ["127.0.0.1"] });
    const http = await serveHttp((request) => answer(own, request), {
      port: 0,
      hostname: "127.0.0.1",
      tls,
      drainMs: 0,
      logger: silentLogger,
    });
    await real.create(Nodes, { metadata: { name: NODE } });
    await real.patchStatus(Nodes, NODE, {
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: http.port } },
      },
    } as never);
    return new KubeletStandIn(real, own, async () => {
      await own.close();
      await http.close();
    });
  }

  /** The logs that it has. */
  get logs(): PodLogs {
    return this.#own.logs;
  }

  /** Creates a Pod on its Node, and another one, without a Node, whose logs it writes. */
  async create(pod: Pod): Promise<void> {
    const spec = { ...pod.spec!, nodeName: NODE };
    const { name, namespace } = pod.metadata as { name: string; namespace: string };
    await this.#real.create(Pods, { ...pod, spec });
    await this.#client.create(Namespaces, { metadata: { name: namespace } }).catch(() => {});
    await this.#client.create(Pods, { metadata: { name, namespace }, spec: pod.spec! });
    this.logs.admit(`${namespace}/${name}`);
  }

  /** Reports the state of a container to both servers. */
  async report(
    { metadata }: Pod,
    { container = "main", lastState = {}, restartCount = 0, state }: ContainerReport,
  ): Promise<void> {
    const status = {
      phase: "Running",
      containerStatuses: [{
        name: container,
        image: "i",
        imageID: "",
        ready: false,
        restartCount,
        state,
        lastState,
      }],
    };
    for (const client of [this.#real, this.#client]) {
      await client.patchStatus(Pods, metadata.name!, { status } as never, {
        namespace: metadata.namespace,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    await this.#close();
  }
}

/** Answers `GET /containerLogs/NAMESPACE/POD/CONTAINER`; errors are plain text, as those of a kubelet. */
async function answer(own: ApiServer, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, what, namespace, pod, container = ""] = pathname.split("/");
  if (what !== "containerLogs") return new Response("404 page not found", { status: 404 });
  searchParams.set("container", container);
  const url = `http://own/api/v1/namespaces/${namespace}/pods/${pod}/log?${searchParams}`;
  const response = await own.fetch(url, { signal: request.signal });
  if (response.status === 200) return response;
  const { message } = await response.json();
  return new Response(message, { status: response.status });
}
