import type { Clock, Logger, Random } from "@kubeloop/controller/internal/base";
import type { ByteSocket } from "@kubeloop/controller/websocket";
import type { TokenUser } from "./access/mod.ts";
import type { LagOptions } from "./lag/mod.ts";
import type { PodProgram } from "./programs/mod.ts";
import type { KubernetesMinor } from "./release/mod.ts";
import type { ServerState } from "./server_state.ts";
import type { WebhookHandler } from "./webhooks/mod.ts";

/** Options of an {@linkcode ApiServer}. */
export interface ApiServerOptions {
  /**
   * The minor version of Kubernetes: its kinds, fields, defaults and validation, for tests of a controller against an older
   * or a newer cluster. Default: the newest one.
   *
   * @example A newer cluster
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ kubernetes: "1.37" });
   * const version = await (await server.fetch("http://cluster/version")).json();
   * assertEquals(version.gitVersion, "v1.37.2");
   * ```
   */
  readonly kubernetes?: KubernetesMinor | undefined;
  /**
   * The feature gates of the API server to turn on or off, by name; `AllAlpha` and `AllBeta` set all gates of a stage that are
   * not named. Default: the defaults of the minor version. Gates of features that the server does not implement have no
   * effect.
   *
   * @example A feature that is off by default
   * ```ts
   * import { Client } from "@kubeloop/controller";
   * import { StatefulSets } from "@kubeloop/controller/types/apps/v1";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ featureGates: { MaxUnavailableStatefulSet: true } });
   * await using client = new Client(server.clientOptions);
   * const set = await client.create(StatefulSets, {
   *   metadata: { name: "db", namespace: "default" },
   *   spec: {
   *     serviceName: "db",
   *     selector: { matchLabels: { app: "db" } },
   *     template: {
   *       metadata: { labels: { app: "db" } },
   *       spec: { containers: [{ name: "db", image: "db" }] },
   *     },
   *     updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
   *   },
   * });
   * assertEquals(set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable, 2);
   * ```
   */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** The clock for timestamps, timeouts and bookmarks. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * The random source for UIDs, generated names, audit IDs, watch timeouts and lag. A `SeededRandom` is forked for each
   * purpose and for the client, so that one more request does not change the random choices of others. Default:
   * `Math.random`.
   */
  readonly random?: Random | undefined;
  /** The logger for failures of the server itself. Default: the console. */
  readonly logger?: Logger | undefined;
  /**
   * The users by bearer token. With tokens, a request without one is anonymous and an unknown one gets a 401. Default:
   * no tokens; every request then acts as a cluster administrator, whatever credentials it carries, unless that is a token
   * of a ServiceAccount that the server itself has issued.
   */
  readonly tokens?: Readonly<Record<string, TokenUser>> | undefined;
  /**
   * The number of changes of each resource to keep, for watches and lists at an earlier resource version. Default:
   * 10,000.
   */
  readonly historyLimit?: number | undefined;
  /**
   * The memory for these changes of all resources together, in bytes. Without it, a few hundred changes of large objects
   * would take a gigabyte. When it is full, the oldest changes are dropped, and a watch or list from before them gets a
   * 410, as after a compaction. Default: 100 MiB.
   */
  readonly historyBytesLimit?: number | undefined;
  /** The number of events that may wait for a slow client before the server ends its watch. Default: 10,000. */
  readonly watchBacklogLimit?: number | undefined;
  /**
   * The bytes of the events that may wait for all slow clients together. When there are more, the server ends the watch
   * that is furthest behind. Default: 100 MiB.
   */
  readonly watchBacklogBytesLimit?: number | undefined;
  /**
   * The bytes that are kept of the log of each instance of a container. When there are more, the oldest lines are dropped, as
   * by the rotation of a kubelet. Default: 10 MiB.
   */
  readonly containerLogBytesLimit?: number | undefined;
  /**
   * The shortest lifetime of a watch without `timeoutSeconds`, in milliseconds. The actual lifetime is random, less
   * than twice as long. Default: 30 minutes.
   */
  readonly minRequestTimeoutMs?: number | undefined;
  /**
   * Puts the server into a realistic world, in which everything is somewhat late: requests, answers, the events of
   * watches, and the state that reads at `resourceVersion=0` show. `true` uses the defaults of {@linkcode LagOptions}.
   * Default: false, a server that is never late.
   *
   * @example A client does not see its own writes at once
   * ```ts
   * import { Client, ConfigMaps, SharedInformerFactory } from "@kubeloop/controller";
   * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
   * import { assert } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * await using server = new ApiServer({ clock, random: new SeededRandom(1), lag: true });
   * await using client = new Client(server.clientOptions);
   * const informer = new SharedInformerFactory(client).informer(ConfigMaps);
   * const stop = new AbortController();
   * const running = informer.run({ signal: stop.signal });
   * await clock.advance(1000);
   *
   * let missing = 0;
   * for (let i = 0; i < 100; i++) {
   *   const object = { metadata: { name: `c${i}` } };
   *   await clock.run(client.create(ConfigMaps, object, { namespace: "default" }));
   *   if (informer.indexer.getByKey(`default/c${i}`) === undefined) missing++;
   * }
   * assert(missing > 0);
   *
   * stop.abort();
   * await clock.run(running);
   * ```
   */
  readonly lag?: boolean | LagOptions | undefined;
  /**
   * Answers the calls of admission webhooks and conversion webhooks: requests to
   * `https://<service>.<namespace>.svc:<port>/<path>?timeout=10s`, or to the URL of the webhook. No socket and no
   * certificate is needed. The handler may send requests to this server itself. Default: none; a call then fails as one
   * to a host that does not answer, and the webhook's failure policy decides.
   *
   * @example A webhook that denies
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({
   *   webhooks: async (request) => {
   *     const { apiVersion, kind, request: { uid } } = await request.json();
   *     const response = { uid, allowed: false, status: { code: 403, message: "not today" } };
   *     return Response.json({ apiVersion, kind, response });
   *   },
   * });
   * const post = (path: string, body: unknown) =>
   *   server.fetch(`http://cluster${path}`, {
   *     method: "POST",
   *     headers: { "content-type": "application/json" },
   *     body: JSON.stringify(body),
   *   });
   * await post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
   *   metadata: { name: "policy" },
   *   webhooks: [{
   *     name: "policy.example.com",
   *     clientConfig: { service: { namespace: "default", name: "policy" } },
   *     rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
   *     sideEffects: "None",
   *     admissionReviewVersions: ["v1"],
   *   }],
   * });
   * const answer = await post("/api/v1/namespaces/default/configmaps", { metadata: { name: "a" } });
   * assertEquals(answer.status, 403);
   * const { message } = await answer.json();
   * assertEquals(message, 'admission webhook "policy.example.com" denied the request: not today');
   * ```
   */
  readonly webhooks?: WebhookHandler | undefined;
  /**
   * The programs in the containers of Pods: functions that answer `exec`, `attach` and `portForward`. If several programs
   * match a Pod, the first one is used. The Pod must run on a node that has an address, as with `startActors`. Default: none; such requests
   * then get a 501.
   *
   * @example A command
   * ```ts
   * import { Client, Nodes, Pods } from "@kubeloop/controller";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({
   *   programs: [{
   *     labels: { app: "web" },
   *     exec: async ({ command, stdout }) => {
   *       await stdout.write(`${command.slice(1).join(" ")}\n`);
   *       return command[0] === "echo" ? 0 : 127;
   *     },
   *   }],
   * });
   * await using client = new Client(server.clientOptions);
   * await client.create(Nodes, {
   *   metadata: { name: "node" },
   *   status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
   * });
   * const pod = await client.create(Pods, {
   *   metadata: { name: "web-0", namespace: "default", labels: { app: "web" } },
   *   spec: { nodeName: "node", containers: [{ name: "web", image: "web" }] },
   * });
   * await client.patchStatus(Pods, "web-0", { status: { phase: "Running" } }, {
   *   namespace: "default",
   * });
   *
   * const { exitCode, stdout } = await client.exec(pod, ["echo", "hello"]);
   * assertEquals([exitCode, stdout], [0, "hello\n"]);
   * ```
   */
  readonly programs?: readonly PodProgram[] | undefined;
  /**
   * The state to start from, as {@linkcode ApiServer.state} of an earlier server returned it. Default: a fresh cluster.
   */
  readonly state?: ServerState | undefined;
}

/** A WebSocket that the server has opened in this process. */
export interface UpgradedConnection {
  /** The subprotocol. */
  readonly protocol: string;
  /** The end of the client. */
  readonly socket: ByteSocket;
}

/** The options of a client of an {@linkcode ApiServer}. */
export interface ApiServerClientOptions {
  /** Answers requests: {@linkcode ApiServer.fetch}. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** Opens WebSockets: {@linkcode ApiServer.upgrade}. */
  readonly upgrade: (request: Request) => Promise<Response | UpgradedConnection>;
  /** The clock of the server. */
  readonly clock: Clock;
  /** A random source for clients: a fork of the server's, if that can be forked. */
  readonly random: Random;
  /** The logger of the server. */
  readonly logger: Logger;
  /** The informers of the client freeze the objects that they cache: a test must notice a change of one. */
  readonly freezeObjects: boolean;
}
