import {
  requireCount,
  requireDelay,
  requireEach,
  requireFunctions,
} from "@kubeloop/controller/internal/base";
import { CoalesceRule } from "./coalesce_rule.ts";
import { FreezeRule } from "./freeze_rule.ts";
import { HoldResourceRule } from "./hold_resource_rule.ts";
import { HoldWatchRule } from "./hold_watch_rule.ts";
import type { LagRule } from "./lag_rule.ts";
import type { Lags } from "./lags.ts";
import type {
  CoalesceOptions,
  FreezeOptions,
  HoldOptions,
  Lag,
  ShuffleOptions,
} from "./lag_types.ts";
import { ShuffleRule } from "./shuffle_rule.ts";

/**
 * Makes the server late, to test what a controller does on old knowledge: that its cache does not show its own last
 * write, that it sees two kinds in another order than they were written, that it never sees a state that was short.
 *
 * Writes, and reads without a `resourceVersion`, always see the newest state, as in etcd. Only the events of
 * watches, and the reads that allow an old state, are late.
 *
 * @example A client does not see its own write for five seconds
 * ```ts
 * import { Client, ConfigMaps, SharedInformerFactory } from "@kubeloop/controller";
 * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock, random: new SeededRandom(1) });
 * await using client = new Client(server.clientOptions);
 * const informer = new SharedInformerFactory(client).informer(ConfigMaps);
 * const stop = new AbortController();
 * const running = informer.run({ signal: stop.signal });
 * await clock.advance(100);
 *
 * const lag = server.lag.hold({ forMs: 5000, when: (_watch, { name }) => name === "web" });
 * await client.create(ConfigMaps, { metadata: { name: "web" } }, { namespace: "default" });
 * await clock.advance(4999);
 * assertEquals(informer.indexer.getByKey("default/web"), undefined);
 * await clock.advance(1);
 * assertEquals(informer.indexer.getByKey("default/web")?.metadata.name, "web");
 * assertEquals(lag.hits, 1);
 *
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export class LagInjector {
  readonly #lags: Lags;

  /** Creates an injector of `lags`. `ApiServer` calls this. */
  constructor(lags: Lags) {
    this.#lags = lags;
  }

  /**
   * Keeps back the events of watches, from the first event that matches on, in order. A bookmark never has a
   * version whose events are kept back.
   *
   * With the scope `watch`, only that watch is late. If it ends, what is kept back is dropped, and the client that
   * watches again from the last version that it has seen gets it at once.
   *
   * With the scope `resource`, the watch cache of the resource stands still before that event: a new watch does not get
   * later events either, a list at `resourceVersion=0` shows the old state, and a list or get from a later version waits
   * for three seconds, and then gets a 504 "Too large resource version", as does a streaming list without a version.
   *
   * @throws {RangeError} If `forMs` is not a number above 0, or `times` not a whole number of at least 1.
   * @throws {TypeError} If `when` or `clients` is not a function, or the scope is unknown.
   *
   * @example A restarted process is as far behind as the first one
   * ```ts
   * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ clock: new VirtualClock(), random: new SeededRandom(1) });
   * const path = "http://cluster/api/v1/namespaces/default/configmaps";
   * const watch = await server.fetch(`${path}?watch=1`);
   * const lag = server.lag.hold({ scope: "resource" });
   * await server.fetch(path, {
   *   method: "POST",
   *   headers: { "content-type": "application/json" },
   *   body: JSON.stringify({ metadata: { name: "web" } }),
   * });
   * const count = async (query: string) =>
   *   (await (await server.fetch(`${path}${query}`)).json()).items.length;
   * assertEquals([await count("?resourceVersion=0"), await count("")], [0, 1]);
   * lag.release();
   * assertEquals(await count("?resourceVersion=0"), 1);
   * await watch.body?.cancel();
   * ```
   */
  hold(options: HoldOptions = {}): Lag {
    const { when, clients, forMs, times, scope = "watch" } = options;
    requireFunctions({ when, clients });
    requireEach(requirePositive, { forMs });
    requireEach((name, value) => requireCount(name, value, 1), { times });
    if (scope !== "watch" && scope !== "resource") {
      throw new TypeError(`scope must be "watch" or "resource": received ${String(scope)}`);
    }
    if (clients !== undefined && scope === "watch") {
      throw new TypeError('clients is for the scope "resource": select watches with when');
    }
    const { clock } = this.#lags.parts;
    const Rule = scope === "watch" ? HoldWatchRule : HoldResourceRule;
    return this.#add(new Rule(this.#lags, clock, options));
  }

  /**
   * Makes two subsequent events of one object into one: the client never observes the state in between. The first event,
   * and all that follow it on this watch, are kept back until the second one comes, or until `withinMs` have passed. An
   * object that is created and deleted is not seen at all; an object that is deleted and created again is MODIFIED, with
   * another UID. This is what a client sees that lists anew after a disconnect.
   *
   * @throws {RangeError} If `withinMs` is not a number above 0, or `times` not a whole number of at least 1.
   * @throws {TypeError} If `when` is not a function.
   *
   * @example The size 3 is never observed
   * ```ts
   * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * await using server = new ApiServer({ clock, random: new SeededRandom(1) });
   * const path = "http://cluster/api/v1/namespaces/default/configmaps";
   * const send = (method: string, url: string, type: string, body: unknown) =>
   *   server.fetch(url, { method, headers: { "content-type": type }, body: JSON.stringify(body) });
   * await send("POST", path, "application/json", { metadata: { name: "web" }, data: { size: "1" } });
   * const watch = await server.fetch(`${path}?watch=1&resourceVersion=${server.resourceVersion}`);
   *
   * const lag = server.lag.coalesce({ when: (_watch, { name }) => name === "web" });
   * for (const size of ["3", "2"]) {
   *   await send("PATCH", `${path}/web`, "application/merge-patch+json", { data: { size } });
   * }
   * const reader = watch.body!.getReader();
   * const event = JSON.parse(new TextDecoder().decode((await reader.read()).value));
   * assertEquals([event.type, event.object.data.size, lag.hits], ["MODIFIED", "2", 1]);
   * await reader.cancel();
   * ```
   */
  coalesce(options: CoalesceOptions = {}): Lag {
    const { when, withinMs, times } = options;
    requireFunctions({ when });
    requireEach(requirePositive, { withinMs });
    requireEach((name, value) => requireCount(name, value, 1), { times });
    return this.#add(new CoalesceRule(this.#lags, this.#lags.parts.clock, options));
  }

  /**
   * Adds a replica of the API server that stands at one version until the lag is released. It answers lists and gets at
   * `resourceVersion=0`, or from a version that it has, as of that version: with the objects that are deleted since, and
   * without later ones. Its watches get nothing newer, until the release.
   *
   * It does what a real server does whose watch cache is stuck: a list or get without a version is answered by etcd, and
   * shows the newest state. A list or get from a later version, and a streaming list without one, waits for three
   * seconds, and then gets a 504 "Too large resource version". To start an informer on the replica, refuse streaming
   * lists with `server.faults`: it then lists at `resourceVersion=0`, as on servers before Kubernetes 1.34.
   *
   * @throws {RangeError} If the version is older than the history of the server.
   * @throws {TypeError} If `at` is not a resource version, `when` not a function, or `resource` not a string.
   *
   * @example A list at "0" shows a deleted object
   * ```ts
   * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ clock: new VirtualClock(), random: new SeededRandom(1) });
   * const path = "http://cluster/api/v1/namespaces";
   * server.lag.freeze({ at: server.resourceVersion, resource: "namespaces" });
   * await server.fetch(path, {
   *   method: "POST",
   *   headers: { "content-type": "application/json" },
   *   body: JSON.stringify({ metadata: { name: "later" } }),
   * });
   * const count = async (query: string) =>
   *   (await (await server.fetch(`${path}${query}`)).json()).items.length;
   * assertEquals([await count("?resourceVersion=0"), await count("")], [4, 5]);
   * ```
   */
  freeze(options: FreezeOptions): Lag {
    const { at, when, resource } = options;
    if (typeof at !== "string" || !/^[1-9][0-9]{0,14}$/.test(at)) {
      throw new TypeError(
        `at must be a resource version, as in server.resourceVersion: received ${
          typeof at === "string" ? JSON.stringify(at) : `a value of type ${typeof at}`
        }`,
      );
    }
    requireFunctions({ when });
    if (resource !== undefined && typeof resource !== "string") {
      throw new TypeError('resource must be the full name of a resource, as in "deployments.apps"');
    }
    return this.#add(new FreezeRule(this.#lags, this.#lags.parts.storage, options));
  }

  /**
   * Sends the items of lists without pages, and the initial events of watches, in a random order. Real servers send them
   * by name, but do not promise it.
   *
   * @throws {TypeError} If `when` is not a function.
   *
   * @example
   * ```ts
   * import { ApiServer, SeededRandom } from "@kubeloop/testing";
   * import { assert, assertNotEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ random: new SeededRandom(1) });
   * const path = "http://cluster/apis/rbac.authorization.k8s.io/v1/clusterroles";
   * const names = async () => {
   *   const { items } = await (await server.fetch(path)).json();
   *   return items.map((item: { metadata: { name: string } }) => item.metadata.name);
   * };
   * const sorted = await names();
   * const lag = server.lag.shuffle();
   * assertNotEquals(await names(), sorted);
   * assert(lag.hits > 0);
   * ```
   */
  shuffle(options: ShuffleOptions = {}): Lag {
    requireFunctions({ when: options.when });
    return this.#add(new ShuffleRule(this.#lags, this.#lags.parts.draws, options));
  }

  /** Releases every lag. The `lag` option of the server stays in effect. */
  clear(): void {
    this.#lags.clear();
  }

  #add<Rule extends LagRule & Lag>(rule: Rule): Lag {
    this.#lags.add(rule);
    return rule;
  }
}

function requirePositive(name: string, value: number): void {
  requireDelay(name, value);
  if (value === 0) throw new RangeError(`${name} must be above 0: received 0`);
}
