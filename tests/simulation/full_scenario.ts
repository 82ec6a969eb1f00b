/**
 * A whole cluster and a controller of a custom resource, under faults that are drawn from a seed: everything in which
 * one runtime could differ from another. The same seed must give the same trace on all of them.
 *
 * @module
 */

import { delay, randomInt, silentLogger } from "../../src/base/mod.ts";
import { DeletedFinalStateUnknown, SharedInformerFactory } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import {
  type Cached,
  ConfigMaps,
  controllerOf,
  controllerReference,
  CustomResourceDefinitions,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  Namespaces,
  type Pod,
  Pods,
  type Resource,
} from "../../src/types/mod.ts";
import {
  ApiServer,
  type FaultRequest,
  type Random,
  type SeededRandom,
  startActors,
  VirtualClock,
} from "../../src/testing/mod.ts";
import { Trace } from "./trace.ts";

/** The custom resource: a number of Pods. */
interface Shop extends KubeObject {
  spec: { size: number };
  status?: { size?: number; running?: number };
}

const Shops: Resource<Shop> = defineResource<Shop>({
  group: "example.dev",
  version: "v1",
  plural: "shops",
  kind: "Shop",
  namespaced: true,
});

const definition = {
  metadata: { name: "shops.example.dev" },
  spec: {
    group: "example.dev",
    scope: "Namespaced" as const,
    names: { plural: "shops", kind: "Shop" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    }],
  },
};

const FINALIZER = "example.dev/farewell";
const NAMESPACE = "shops";

/** The result of a run of the scenario. */
export interface ScenarioResult {
  /** The hash of the trace. */
  readonly hash: string;
  /** The number of writes to the server. */
  readonly writes: number;
  /** The trace, if it was to be kept. */
  readonly lines: readonly string[];
}

/** Runs the scenario. `keep` keeps the lines of the trace. */
export async function fullScenario(random: SeededRandom, keep = false): Promise<ScenarioResult> {
  const clock = new VirtualClock({ standstillLimit: 100_000 });
  const trace = new Trace(clock, keep);
  const cluster = new Cluster(clock, random, trace);
  const { world } = cluster;
  const actors = startActors(world, {
    nodes: 3,
    kubelet: { meanTimeToCrashMs: 30_000 },
    nodeController: { gracePeriodMs: 12_000 },
    // No Deployment or the like comes in: their controllers would only watch.
    workloads: false,
  });
  const draw = random.fork("plan");
  const process = new ShopProcess(world);
  scheduleFaults(cluster, clock, random.fork("faults"));
  const user = new User(world, clock);
  const workload = user.run(draw);
  await clock.advance(2000 + randomInt(draw, 6000));
  await process.restart();
  const kubelet = actors.kubelets[randomInt(draw, 3)]!;
  kubelet.crashNode();
  await clock.advance(randomInt(draw, 6000));
  await cluster.replace();
  await clock.advance(8000 + randomInt(draw, 4000));
  kubelet.restartNode();
  await clock.run(workload);
  cluster.server.faults.clear();
  await clock.advance(5000);
  await Promise.all([process.stop(), user.stop()]);
  await actors.stop();
  for (const { resource, text } of cluster.server.state().objects) trace.add(`${resource} ${text}`);
  const { resourceVersion } = cluster.server;
  await cluster.server.close();
  await clock.settle();
  return { hash: trace.hash, writes: Number(resourceVersion), lines: trace.lines };
}

/** The API server, which can be replaced by a new one with the same state. */
class Cluster {
  server: ApiServer;
  /** The server that clients connect to. */
  readonly world: { readonly clientOptions: ApiServer["clientOptions"] };
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;

  constructor(clock: VirtualClock, random: SeededRandom, trace: Trace) {
    this.#clock = clock;
    this.#random = random;
    this.server = this.#start();
    const fetch = trace.traced(
      (input, init) => this.server.fetch(input, init),
      () => this.server.resourceVersion,
    );
    this.world = { clientOptions: { ...this.server.clientOptions, fetch } };
  }

  /** Replaces the server by another one with the same state, as in an upgrade. */
  async replace(): Promise<void> {
    const old = this.server;
    this.server = this.#start(old.state());
    await old.close();
  }

  #start(state?: ReturnType<ApiServer["state"]>): ApiServer {
    return new ApiServer({
      clock: this.#clock,
      random: this.#random,
      logger: silentLogger,
      state,
      historyLimit: 200,
    });
  }
}

/** The controller of Shops, in a process that can be restarted. */
class ShopProcess {
  readonly #world: Cluster["world"];
  #stop = new AbortController();
  #running: Promise<void>;

  constructor(world: Cluster["world"]) {
    this.#world = world;
    this.#running = this.#run(this.#stop.signal);
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const client = new Client({ ...this.#world.clientOptions, userAgent: "shop-controller" });
    const informers = new SharedInformerFactory(client, { logger: silentLogger });
    const shops = informers.informer(Shops);
    const pods = informers.informer(Pods, { namespace: NAMESPACE });
    pods.addIndexers({ owner: (pod) => [controllerOf(pod, Shops)?.uid ?? ""] });
    const controller = new Controller({
      informer: shops,
      waitFor: [pods],
      logger: silentLogger,
      reconcile: async (key) => {
        const shop = shops.indexer.getByKey(key);
        if (shop === undefined) return;
        const owned = pods.indexer.byIndex("owner", shop.metadata.uid ?? "");
        await reconcile(client, shop, owned, signal);
      },
    });
    const enqueueOwner = (pod: Cached<Pod> | undefined) => {
      const owner = pod === undefined ? undefined : controllerOf(pod, Shops);
      if (owner !== undefined) controller.enqueue(`${NAMESPACE}/${owner.name}`);
    };
    pods.addEventHandler({
      onAdd: enqueueOwner,
      onUpdate: (_old, pod) => enqueueOwner(pod),
      onDelete: (last) => enqueueOwner(DeletedFinalStateUnknown.lastKnownState(last)),
    });
    await controller.run({ workers: 2, signal });
    await client.close();
  }
}

async function reconcile(
  client: Client,
  shop: Cached<Shop>,
  owned: readonly Cached<Pod>[],
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace, finalizers = [], resourceVersion } = shop.metadata;
  const call = { namespace, signal };
  if (shop.metadata.deletionTimestamp !== undefined) {
    if (!finalizers.includes(FINALIZER)) return;
    await client.create(ConfigMaps, { metadata: { generateName: "farewell-" } }, call);
    await client.patch(Shops, name, { metadata: { finalizers: null, resourceVersion } }, call);
    return;
  }
  if (!finalizers.includes(FINALIZER)) {
    const metadata = { finalizers: [FINALIZER], resourceVersion };
    await client.patch(Shops, name, { metadata }, call);
  }
  const names = Array.from({ length: shop.spec.size }, (_, i) => `${name}-${i}`);
  const known = new Map(owned.map((pod) => [pod.metadata.name, pod]));
  // All at once: concurrent requests are what has another order on each runtime.
  await Promise.all([
    ...names.filter((one) => !known.has(one)).map(async (one) => {
      try {
        await client.create(Pods, {
          metadata: { name: one, ownerReferences: [controllerReference(shop, Shops)] },
          spec: { containers: [{ name: "main", image: "shop" }] },
        }, call);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }),
    ...[...known.keys()].filter((one) => !names.includes(one)).map(async (one) => {
      try {
        await client.delete(Pods, one, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }),
  ]);
  const running = owned.filter(({ status }) => status?.phase === "Running").length;
  const { status } = shop;
  if (status?.running === running && status.size === shop.spec.size) return;
  await client.patchStatus(Shops, name, { status: { running, size: shop.spec.size } }, call);
}

/** The user of the cluster, who tries every step until it succeeds. */
class User {
  readonly #client: Client;
  readonly #clock: VirtualClock;

  constructor(world: Cluster["world"], clock: VirtualClock) {
    this.#client = new Client({ ...world.clientOptions, userAgent: "user" });
    this.#clock = clock;
  }

  stop(): Promise<void> {
    return this.#client.close();
  }

  async run(draw: Random): Promise<void> {
    const client = this.#client;
    const call = { namespace: NAMESPACE };
    const patch = (name: string, size: number) =>
      this.#step(draw, () => client.patch(Shops, name, { spec: { size } }, call));
    const create = (name: string, size: number) =>
      this.#step(draw, () => client.create(Shops, { metadata: { name }, spec: { size } }, call));
    await this.#step(draw, () => client.create(CustomResourceDefinitions, definition));
    await this.#step(draw, () => client.create(Namespaces, { metadata: { name: NAMESPACE } }));
    await Promise.all([create("a", 2), create("b", 1 + randomInt(draw, 3))]);
    await patch("a", randomInt(draw, 5));
    await Promise.all([patch("a", 1), patch("b", randomInt(draw, 4))]);
    await this.#step(draw, () => client.delete(Shops, "a", call));
    await create("c", 3);
    await patch("c", 1);
    await this.#step(draw, () => this.#annotate(call));
    await this.#step(draw, async () => {
      const { items } = await client.list(Pods, { ...call, limit: 2 });
      for (const { metadata } of items) await client.delete(Pods, metadata.name, call);
    });
    if (draw.next() < 0.3) await this.#step(draw, () => client.delete(Namespaces, NAMESPACE));
  }

  /**
   * Sends patches at the same time, one of them after it has read a body and the others after some microtasks. Runtimes
   * spend different numbers of microtasks inside of bodies, so the patches come in another order on each of them.
   */
  async #annotate(call: { readonly namespace: string }): Promise<void> {
    const annotate = (value: string) =>
      this.#client.patch(Shops, "c", { metadata: { annotations: { value } } }, call);
    const read = async () => await annotate(await new Response("body").text());
    const count = async (microtasks: number) => {
      for (let i = 0; i < microtasks; i++) await undefined;
      await annotate(String(microtasks));
    };
    await Promise.all([read(), ...[0, 2, 4, 6, 8, 11, 14, 18, 25].map(count)]);
  }

  /** Carries out a step, again and again until the server has accepted it, and takes a break. */
  async #step(draw: Random, step: () => Promise<unknown>): Promise<void> {
    const pauseMs = randomInt(draw, 2000);
    for (let tries = 0; tries < 20; tries++) {
      try {
        await step();
        break;
      } catch (error) {
        if (isAlreadyExists(error) || isNotFound(error)) break;
        await delay(1000, { clock: this.#clock });
      }
    }
    await delay(pauseMs, { clock: this.#clock });
  }
}

/** Injects faults for about twenty seconds. */
function scheduleFaults(cluster: Cluster, clock: VirtualClock, draw: Random): void {
  const agents = ["shop-controller", "kubelet", "kube-scheduler", "kube-controller-manager", ""];
  for (let i = 0; i < 6; i++) {
    const kind = randomInt(draw, 11);
    const agent = agents[randomInt(draw, agents.length)]!;
    const share = 0.3 + 0.7 * draw.next();
    const lastsMs = 100 + randomInt(draw, 4000);
    const when = ({ headers }: FaultRequest) =>
      (headers.get("user-agent") ?? "").includes(agent) && draw.next() < share;
    clock.setTimer(() => {
      const { server } = cluster;
      const { faults } = server;
      const target = { when, times: 1 + (lastsMs % 20) };
      if (kind === 9) return server.compact();
      if (kind === 10) return server.restart();
      const fault = [
        () => faults.fail(500, target),
        () => faults.fail(503, target),
        () => faults.throttle(1, target),
        () => faults.drop("refused", target),
        () => faults.drop("reset", target),
        () => faults.cut(target),
        () => faults.expire(target),
        () => faults.delay(lastsMs, target),
        () => faults.silence(target),
      ][kind]!();
      clock.setTimer(() => fault.remove(), lastsMs);
      if (kind === 5) server.closeWatches({ broken: true });
    }, randomInt(draw, 20_000));
  }
}
