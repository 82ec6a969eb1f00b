/**
 * A real kube-apiserver for the scenarios of `tests/conformance`.
 *
 * @module
 */

import { ScriptedWebhooks } from "../conformance/scripted_webhooks.ts";
import {
  gatesOf,
  type ReachableWebhooks,
  type ServerSetting,
  type ServerUnderTest,
  TOKENS,
} from "../conformance/server_under_test.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { ADMIN_TOKEN, Cluster } from "./cluster.ts";
import { chosenMinor } from "./minors.ts";

/** The time in which unexpected events may still arrive after all expected ones. */
const GRACE_MS = 150;

/** The additional time compared with the recording: a busy machine is slower than the recorded one. */
const PATIENCE_MS = 10_000;

/** The interval of the compactions of a server that compacts its history. */
const COMPACTION_MS = 1000;

/** The number of attempts to make the server busy. */
const BUSY_TRIES = 10;

const TOKEN_LINES = Object.entries(TOKENS).map(([token, { user, uid = "", groups = [] }]) =>
  `${token},${user},${uid},"${groups.join(",")}"`
);

/** Webhooks that listen over TLS. */
interface Listening {
  readonly hooks: ReachableWebhooks;
  readonly listener: Deno.HttpServer;
}

async function listen(webhooks: ScriptedWebhooks): Promise<Listening> {
  const authority = await CertificateAuthority.create();
  const { cert, key } = await authority.issue({ name: "CN=127.0.0.1", hosts: ["127.0.0.1"] });
  const onError = () => new Response(null);
  const listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {}, onError },
    (request) => webhooks.handle(request),
  );
  const url = `https://127.0.0.1:${listener.addr.port}`;
  return { hooks: { webhooks, url, caBundle: btoa(authority.cert) }, listener };
}

/** A real API server with its own control plane. */
export class RealServer implements ServerUnderTest {
  readonly name = "real";
  readonly origin: string;
  readonly hooks: ReachableWebhooks | undefined;
  readonly #cluster: Cluster;
  readonly #client: Deno.HttpClient;
  readonly #listener: Deno.HttpServer | undefined;

  private constructor(cluster: Cluster, webhooks?: Listening) {
    this.#cluster = cluster;
    this.hooks = webhooks?.hooks;
    this.#listener = webhooks?.listener;
    this.origin = cluster.server;
    // HTTP/1.1, with a connection per request: HTTP/2 allows only 100 concurrent requests, including watches.
    this.#client = Deno.createHttpClient({ caCerts: [cluster.caData], http2: false });
  }

  /** Starts the control plane. */
  static async create(
    setting: ServerSetting,
    minor: string = chosenMinor(),
  ): Promise<RealServer> {
    const { minRequestTimeoutMs, maxRequestsInFlight, hasEndpoints, isCompacted } = setting;
    const flags: string[] = [];
    if (minRequestTimeoutMs !== undefined) {
      flags.push(`--min-request-timeout=${minRequestTimeoutMs / 1000}`);
    }
    if (maxRequestsInFlight !== undefined) {
      flags.push(
        `--max-requests-inflight=${maxRequestsInFlight}`,
        "--enable-priority-and-fairness=false",
      );
    }
    if (isCompacted) flags.push(`--etcd-compaction-interval=${COMPACTION_MS}ms`);
    const gates = gatesOf(setting, minor);
    if (gates.length > 0) {
      flags.push(`--feature-gates=${gates.map((gate) => `${gate}=true`).join()}`);
    }
    if (hasEndpoints) {
      // Endpoints may not be loopback addresses.
      flags.push("--endpoint-reconciler-type=lease", "--advertise-address=172.18.0.1");
    }
    const cluster = await Cluster.start({
      tokens: TOKEN_LINES,
      apiServerFlags: flags,
      minor,
    });
    const { webhooks } = setting;
    return new RealServer(cluster, webhooks && await listen(new ScriptedWebhooks(webhooks)));
  }

  fetch(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    // Otherwise Deno's fetch asks for compression.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    return fetch(new Request(request, { headers }), { client: this.#client });
  }

  run<T>(promise: Promise<T>): Promise<T> {
    return promise;
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  async pass(ms: number, done?: () => boolean): Promise<void> {
    if (done === undefined) return await sleep(ms);
    const deadline = performance.now() + ms + PATIENCE_MS;
    while (performance.now() < deadline && !done()) await sleep(20);
    await sleep(GRACE_MS);
  }

  restart(): Promise<void> {
    return this.#cluster.restartApiServer();
  }

  /** Waits for two compactions, because each one goes up to the revision at the one before. */
  async compact(): Promise<void> {
    await sleep(3 * COMPACTION_MS);
  }

  async whileBusy(action: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < BUSY_TRIES; tries++) {
      const abort = new AbortController();
      // A read at a far future resource version waits three seconds.
      const slow = this.fetch(
        new Request(`${this.origin}/api/v1/namespaces?resourceVersion=1000000`, {
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
          signal: abort.signal,
        }),
      ).then((response) => response.body?.cancel(), () => {});
      try {
        await sleep(500);
        if (await this.#isBusy()) return await action();
        // The slow read has not arrived yet, or one of the server's own requests took the only place before it.
      } finally {
        abort.abort();
        await slow;
      }
    }
    throw new Error(`The server was not busy in ${BUSY_TRIES} attempts`);
  }

  /** Reports whether the server rejects a request of a user who is not exempt from its limits. */
  async #isBusy(): Promise<boolean> {
    const headers = { authorization: "Bearer demo-nobody-token" };
    const response = await this.fetch(new Request(`${this.origin}/version`, { headers }));
    await response.body?.cancel();
    return response.status === 429;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#listener?.shutdown();
    await this.#cluster[Symbol.asyncDispose]();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
