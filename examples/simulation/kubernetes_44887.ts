/**
 * Two replicas of a controller that elect a leader with a Lease, written by hand.
 *
 * The leader renews the Lease each few seconds. A replica that finds a Lease that was not renewed for its duration takes
 * it over. The broken leader believes that it leads until a renewal fails. If the renewal hangs for longer than the
 * Lease lasts, or the whole machine stands still, the other replica takes over. The old leader then still does what it
 * was about to do: two leaders act at once.
 *
 * https://github.com/kubernetes/kubernetes/issues/44887
 *
 * What finds it: a pause of the leader that is longer than the Lease.
 *
 * The repaired leader looks at its own clock before it acts. That is enough for what it does in one go. It is not enough
 * for a write that is already on its way: there, only the other end can refuse what comes from an old leader.
 *
 * @module
 */

import {
  type Client,
  Controller,
  defineResource,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeObject,
  type Lease,
  Leases,
  type Resource,
  SharedInformer,
} from "@kubeloop/controller";
import { formatMicroTime } from "@kubeloop/controller/types";
import type { Clock } from "@kubeloop/controller/base";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Route extends KubeObject {
  spec: { address: string };
  status?: { address?: string };
}

const Routes: Resource<Route> = defineResource<Route>({
  group: "example.com",
  version: "v1",
  plural: "routes",
  kind: "Route",
  namespaced: true,
});

const LEASE = "router";
const namespace = "default";
const DURATION_MS = 15_000;
const RENEW_MS = 2000;
const DRAIN_MS = 4000;

/** Whether a replica may act as the leader. */
type MayAct = (election: Election) => boolean;

const broken: MayAct = ({ isLeader }) => isLeader;

/** A leader stops by its own clock, before anybody else can take the Lease over. */
const repaired: MayAct = ({ clock, isLeader, renewedMs }) =>
  isLeader && clock.now() - renewedMs < DURATION_MS - RENEW_MS;

/** One replica in the election of a leader. */
class Election {
  readonly client: Client;
  readonly clock: Clock;
  readonly identity: string;
  isLeader = false;
  /** When the Lease was renewed last. */
  renewedMs = 0;
  #seen = "";
  #seenMs = 0;

  constructor({ client, clock, identity }: ProcessEnv<Balancer>) {
    this.client = client;
    this.clock = clock;
    this.identity = identity;
  }

  async run(): Promise<never> {
    for (;;) {
      const nowMs = this.clock.now();
      try {
        this.isLeader = await this.#acquire(nowMs);
        if (this.isLeader) this.renewedMs = nowMs;
      } catch (error) {
        if (!isConflict(error) && !isAlreadyExists(error)) throw error;
        this.isLeader = false;
      }
      await new Promise<void>((resolve) => this.clock.setTimer(resolve, RENEW_MS));
    }
  }

  /** Creates, renews or takes over the Lease. Returns whether this replica holds it. */
  async #acquire(nowMs: number): Promise<boolean> {
    const { client, clock, identity } = this;
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: DURATION_MS / 1000,
      renewTime: formatMicroTime(clock.wallNow()),
    };
    let lease: Lease;
    try {
      lease = await client.get(Leases, LEASE, { namespace });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(Leases, { metadata: { name: LEASE }, spec }, { namespace });
      return true;
    }
    // The clocks of other machines are not to be trusted: what counts is when a renewal was seen here.
    const { holderIdentity, renewTime = "" } = lease.spec ?? {};
    if (this.#seen !== renewTime) {
      this.#seen = renewTime;
      this.#seenMs = nowMs;
    }
    if (holderIdentity !== identity && nowMs - this.#seenMs < DURATION_MS) return false;
    await client.update(Leases, { ...lease, spec }, { namespace });
    return true;
  }
}

/** A load balancer outside the cluster. */
class Balancer {
  #caller: string | undefined;

  switchTo(_route: string, _address: string, caller: string): void {
    this.#caller = caller;
  }

  /** Returns who has called since this was asked last. */
  lastCaller(): string | undefined {
    const caller = this.#caller;
    this.#caller = undefined;
    return caller;
  }
}

function router(mayAct: MayAct) {
  return async (env: ProcessEnv<Balancer>) => {
    const { client, clock, cloud, identity, signal } = env;
    const election = new Election(env);
    const routes = new SharedInformer(client.listerWatcher(Routes), { name: "routes" });
    const controller = new Controller({
      informer: routes,
      async reconcile(key) {
        const route = routes.indexer.getByKey(key);
        if (route === undefined || route.status?.address === route.spec.address) return {};
        if (!mayAct(election)) return { requeueAfterMs: RENEW_MS };
        const { address } = route.spec;
        await new Promise<void>((resolve) => clock.setTimer(resolve, DRAIN_MS));
        if (!mayAct(election)) return { requeueAfterMs: RENEW_MS };
        cloud.switchTo(key, address, identity);
        const { name, namespace } = route.metadata;
        await client.patchStatus(Routes, name, { status: { address } }, { namespace });
        return {};
      },
    });
    await Promise.all([election.run(), controller.run({ signal })]);
  };
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/kubernetes/kubernetes/issues/44887",
  finding: {
    oracle: "invariant",
    // Which of the two is it depends on the plan.
    says: ["switches the traffic, but the Lease is held by router-"],
    story: ["stands still for 22.5 s"],
  },
  simulate: (logic) =>
    simulation<Balancer>({
      name: "kubernetes#44887",
      process: { router: router(logic === "broken" ? broken : repaired) },
      replicas: 2,
      world: { cloud: () => new Balancer() },
      workload: [
        create(Routes, "shop", { spec: { address: "10.0.0.1" } }),
        settle(),
        patch(Routes, "shop", { spec: { address: "10.0.0.2" } }),
        settle(),
      ],
      always: [({ server, cloud }) => {
        const caller = cloud.lastCaller();
        const holder = server.get(Leases, LEASE, namespace)?.spec?.holderIdentity;
        return caller === undefined || caller === holder ||
          `${caller} switches the traffic, but the Lease is held by ${holder}`;
      }],
    }),
};

if (import.meta.main) await demonstrate(bug);
