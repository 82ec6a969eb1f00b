import type { Clock } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";

/** The parts of a run that its collector uses. */
export interface CollectorRun {
  readonly clock: Clock;
  /** The newest state of each object. */
  readonly objects: ReadonlyMap<string, ServerWrite>;
  /** Reports whether an object with that UID exists. */
  exists(uid: string): boolean;
  /** Sends a request for an object as the garbage collector. */
  send(write: ServerWrite, method: "DELETE" | "PATCH", body: unknown): Promise<void>;
}

/**
 * The time from the deletion of the last owner to that of its dependents, in milliseconds. A real garbage collector needs
 * seconds too. Without a delay, the collector and a controller with a stale cache would delete and recreate the object
 * endlessly.
 */
export const COLLECTOR_DELAY_MS = 5000;
const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * The garbage collector of a run. It follows the writes of the server: the informers of the actor would take longer than
 * the rest of a small run.
 */
export class Collector {
  readonly #run: CollectorRun;
  #isDue = false;

  constructor(run: CollectorRun) {
    this.#run = run;
  }

  /** Called with each write. */
  onWrite(write: ServerWrite): void {
    if (write.type === "DELETED" || mayNeed(write) && needsCollector(write.object())) {
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#run.clock.setTimer(() => {
      this.#isDue = false;
      // Only the server of a run that has ended answers nothing.
      void this.#collect().catch(() => {});
    }, COLLECTOR_DELAY_MS);
  }

  async #collect(): Promise<void> {
    for (const write of [...this.#run.objects.values()].filter(mayNeed)) {
      const object = write.object();
      const { deletionTimestamp, finalizers = [], ownerReferences = [], uid } = object.metadata;
      if (deletionTimestamp !== undefined) {
        if (finalizers.includes(ORPHAN)) await this.#orphan(write, finalizers);
        if (finalizers.includes(FOREGROUND)) await this.#foreground(write, finalizers);
        continue;
      }
      if (ownerReferences.length === 0) continue;
      if (ownerReferences.some((owner) => this.#run.exists(owner.uid))) continue;
      await this.#run.send(write, "DELETE", { preconditions: { uid } });
    }
  }

  #dependents({ uid }: ServerWrite): ServerWrite[] {
    return [...this.#run.objects.values()].filter((write) =>
      write.text.includes(uid) &&
      write.object().metadata.ownerReferences?.some((owner) => owner.uid === uid)
    );
  }

  async #orphan(owner: ServerWrite, finalizers: readonly string[]): Promise<void> {
    for (const write of this.#dependents(owner)) {
      const { ownerReferences = [] } = write.object().metadata;
      await this.#run.send(write, "PATCH", {
        metadata: { ownerReferences: ownerReferences.filter(({ uid }) => uid !== owner.uid) },
      });
    }
    await this.#release(owner, finalizers, ORPHAN);
  }

  async #foreground(owner: ServerWrite, finalizers: readonly string[]): Promise<void> {
    const dependents = this.#dependents(owner);
    for (const write of dependents) {
      const { deletionTimestamp, uid } = write.object().metadata;
      if (deletionTimestamp === undefined) {
        await this.#run.send(write, "DELETE", {
          propagationPolicy: "Foreground",
          preconditions: { uid },
        });
      }
    }
    const isBlocked = dependents.some((write) =>
      write.object().metadata.ownerReferences?.some(({ blockOwnerDeletion, uid }) =>
        uid === owner.uid && blockOwnerDeletion
      )
    );
    if (!isBlocked) await this.#release(owner, finalizers, FOREGROUND);
  }

  #release(owner: ServerWrite, finalizers: readonly string[], released: string): Promise<void> {
    const rest = finalizers.filter((finalizer) => finalizer !== released);
    return this.#run.send(owner, "PATCH", { metadata: { finalizers: rest } });
  }
}

/** Reports whether an object may have an owner, or a time of deletion. Most have neither, and are not parsed. */
function mayNeed({ text }: ServerWrite): boolean {
  return text.includes("ownerReferences") || text.includes("deletionTimestamp");
}

function needsCollector({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = metadata;
  return ownerReferences.length > 0 || (deletionTimestamp !== undefined &&
    (finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN)));
}
