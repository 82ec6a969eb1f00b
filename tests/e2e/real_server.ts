/**
 * A real kube-apiserver for the scenarios of `tests/conformance`.
 *
 * @module
 */

import {
  type ServerSetting,
  type ServerUnderTest,
  TOKENS,
} from "../conformance/server_under_test.ts";
import { ADMIN_TOKEN, Cluster } from "./cluster.ts";

/** How long a little more may come after all that was expected did. */
const GRACE_MS = 150;

/** How much longer than in the recording something may take: a busy machine is slower than the recorded one. */
const PATIENCE_MS = 10_000;

/** How often it is tried to have the server busy. */
const BUSY_TRIES = 10;

const TOKEN_LINES = Object.entries(TOKENS).map(([token, { user, uid = "", groups = [] }]) =>
  `${token},${user},${uid},"${groups.join(",")}"`
);

/** A control plane of its own. */
export class RealServer implements ServerUnderTest {
  readonly name = "real";
  readonly origin: string;
  readonly followsRecording = false;
  readonly nextRevision = undefined;
  readonly #cluster: Cluster;
  readonly #client: Deno.HttpClient;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.origin = cluster.server;
    // One connection for each request: HTTP/2 allows 100 at a time, watches included.
    this.#client = Deno.createHttpClient({ caCerts: [cluster.caData], http2: false });
  }

  /** Starts it. */
  static async create(setting: ServerSetting): Promise<RealServer> {
    const { minRequestTimeoutMs, maxRequestsInFlight } = setting;
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
    const cluster = await Cluster.start({ tokens: TOKEN_LINES, apiServerFlags: flags });
    return new RealServer(cluster);
  }

  fetch(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    // Deno's fetch would ask for compression.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    return fetch(new Request(request, { headers }), { client: this.#client });
  }

  run<T>(promise: Promise<T>): Promise<T> {
    return promise;
  }

  now(): number {
    return performance.now();
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

  at(): Promise<void> {
    return Promise.resolve();
  }

  compact(): Promise<void> {
    return Promise.reject(new Error("Not done with a real server: it learns of it minutes later"));
  }

  restart(): Promise<void> {
    return this.#cluster.restartApiServer();
  }

  async whileBusy(action: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < BUSY_TRIES; tries++) {
      const abort = new AbortController();
      // A read of a revision that is far off waits three seconds.
      const slow = this.fetch(
        new Request(`${this.origin}/api/v1/namespaces?resourceVersion=1000000`, {
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
          signal: abort.signal,
        }),
      ).then((response) => response.body?.cancel(), () => {});
      try {
        await sleep(500);
        if (await this.#isBusy()) return await action();
        // It has not come in yet, or came in beside a request of the server's own, which had the place.
      } finally {
        abort.abort();
        await slow;
      }
    }
    throw new Error(`The server was not busy in ${BUSY_TRIES} attempts`);
  }

  /** Whether it refuses a request of somebody who is not above its limits. */
  async #isBusy(): Promise<boolean> {
    const headers = { authorization: "Bearer demo-nobody-token" };
    const response = await this.fetch(new Request(`${this.origin}/version`, { headers }));
    await response.body?.cancel();
    return response.status === 429;
  }

  stopGracefully(): Promise<void> {
    return Promise.reject(new Error("Not done with a real server: it takes a minute"));
  }

  whileStorageIsDown(): Promise<void> {
    return Promise.reject(new Error("Not done with a real server: it takes a minute"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#cluster[Symbol.asyncDispose]();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
