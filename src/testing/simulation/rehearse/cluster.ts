import {
  type Clock,
  parseJson,
  stringifyJson,
  type Timer,
} from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ApiServer, ServerState, ServerWrite } from "../../api_server/mod.ts";
import { Collector, urlOf } from "../world/mod.ts";

/** The user agent of the cluster itself. */
export const CLUSTER_AGENT = "rehearsed-cluster";

/** The time until the kubelet has stopped a Pod, in milliseconds. */
const POD_STOP_MS = 1000;

/**
 * The garbage collector and the kubelets, as far as deletions need them: dependents of a deleted owner are deleted or orphaned,
 * and a deleted Pod is gone once its kubelet has stopped it. Nothing else runs: Pods that a workload would replace are counted, not replaced.
 */
export class Cluster {
  readonly #server: ApiServer;
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  readonly #collector: Collector;
  readonly #objects = new Map<string, ServerWrite>();
  #start: ServerState | undefined;

  constructor(server: ApiServer, start: ServerState, clock: Clock) {
    this.#server = server;
    this.#start = start;
    this.#clock = {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      setTimer: (callback, delayMs) => {
        const timer = clock.setTimer(() => {
          this.#timers.delete(timer);
          callback();
        }, delayMs);
        this.#timers.add(timer);
        return timer;
      },
    };
    this.#collector = new Collector({
      clock: this.#clock,
      objects: this.#objects,
      exists: (uid) => this.#objects.has(uid),
      send: (write, method, body) => this.#send(write, method, body),
    });
    server.onWrite((write) => this.#onWrite(write));
  }

  /** Ends what is under way. */
  end(): void {
    for (const timer of this.#timers) timer.cancel();
  }

  #onWrite(write: ServerWrite): void {
    const isDeleted = write.type === "DELETED";
    const { deletionTimestamp } = write.object().metadata;
    if (this.#start !== undefined) {
      // Most runs delete nothing, and need no list of all objects.
      if (!isDeleted && deletionTimestamp === undefined && write.type !== "ADDED") return;
      for (const { resource, text } of this.#start.objects) {
        const object = parseJson(text) as KubeObject;
        this.#objects.set(object.metadata.uid ?? "", writeOf(resource, text, object));
      }
      this.#start = undefined;
    }
    if (isDeleted) this.#objects.delete(write.uid);
    else this.#objects.set(write.uid, write);
    if (!isDeleted && deletionTimestamp === undefined) return;
    this.#collector.onWrite(write);
    if (write.resource === "pods" && !isDeleted) {
      this.#clock.setTimer(
        () => void this.#send(write, "DELETE", { gracePeriodSeconds: 0 }),
        POD_STOP_MS,
      );
    }
  }

  async #send(write: ServerWrite, method: "DELETE" | "PATCH", body: unknown): Promise<void> {
    const response = await this.#server.fetch(urlOf(write), {
      method,
      headers: {
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        "user-agent": CLUSTER_AGENT,
      },
      body: stringifyJson(body),
    });
    await response.body?.cancel();
  }
}

/** Returns an object of the start in the form of a write. */
function writeOf(resource: string, text: string, { metadata }: KubeObject): ServerWrite {
  return {
    type: "ADDED",
    resource,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    text,
    object: () => parseJson(text) as KubeObject,
    previous: () => undefined,
  };
}
