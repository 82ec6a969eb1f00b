import {
  type Cached,
  controllerReference,
  deepCopy,
  type DeepReadonly,
  isAlreadyExists,
  isControlledBy,
  type KubeObject,
  type PodTemplateSpec,
  type Resource,
  type Stored,
} from "@kubeloop/controller/types";
import { isSame, Ownership, type Reconciler, templateHash, unlessGone } from "../control/mod.ts";
import { type ControllerRevision, ControllerRevisions } from "./apps_kinds.ts";

/** A workload whose templates are kept as ControllerRevisions. */
export interface Revised extends KubeObject {
  spec?: {
    selector?: { matchLabels?: Record<string, string> };
    template: PodTemplateSpec;
    revisionHistoryLimit?: number;
  };
  status?: { collisionCount?: number };
}

/** The revisions of a workload, as {@linkcode RevisionHistory.sync} finds them. */
export interface Revisions {
  /** All revisions, oldest first. */
  readonly all: readonly Cached<ControllerRevision>[];
  /** The revision with the current template. */
  readonly update: Cached<ControllerRevision>;
}

/** A revision could not be created because another template has its hash: the next hash must be tried. */
export class HashCollision extends Error {}

/** The ControllerRevisions of the StatefulSets or DaemonSets of a controller. */
export class RevisionHistory<T extends Revised> {
  readonly #frame: Reconciler<T>;
  readonly #owner: Resource<T>;
  readonly #label: string;
  readonly #revisions: Ownership<T, ControllerRevision>;

  /**
   * Creates the history.
   *
   * @param frame The controller.
   * @param owner The resource of the workloads.
   * @param label The label with the hash of a revision.
   */
  constructor(frame: Reconciler<T>, owner: Resource<T>, label: string) {
    this.#frame = frame;
    this.#owner = owner;
    this.#label = label;
    this.#revisions = new Ownership<T, ControllerRevision>(frame, {
      owner,
      resource: ControllerRevisions,
    });
  }

  /**
   * Finds the revision of the template of a workload. A new template becomes a new revision; a template that is used
   * again makes its revision the newest.
   *
   * @throws {HashCollision} If the hash of the template belongs to another one.
   */
  async sync(workload: Cached<T>, signal: AbortSignal): Promise<Revisions> {
    const sorted = (await this.#revisions.claim(workload, signal))
      .sort((a, b) => a.revision - b.revision || (a.metadata.name < b.metadata.name ? -1 : 1));
    const wanted = this.#revisionOf(workload, (sorted.at(-1)?.revision ?? 0) + 1);
    const equal = sorted.findLast(({ data }) => isSame(data, wanted.data));
    if (equal === undefined) {
      const created = await this.#create(workload, wanted, signal);
      return { all: [...sorted, created], update: created };
    }
    if (equal === sorted.at(-1)) return { all: sorted, update: equal };
    const renewed = await this.#frame.client.update(ControllerRevisions, {
      ...equal,
      revision: wanted.revision,
    } as ControllerRevision, { signal });
    return { all: [...sorted.filter((one) => one !== equal), renewed], update: renewed };
  }

  /** Deletes the oldest revisions that are not in use, beyond the limit of the history. */
  async truncate(
    { spec }: Cached<T>,
    { all }: Revisions,
    isLive: (revision: Cached<ControllerRevision>) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const old = all.filter((revision) => !isLive(revision));
    const { revisionHistoryLimit = 10 } = spec ?? {};
    for (const { metadata } of old.slice(0, Math.max(0, old.length - revisionHistoryLimit))) {
      const { name, namespace = "", uid } = metadata;
      const call = { namespace, preconditions: { uid }, signal };
      await this.#frame.client.delete(ControllerRevisions, name, call).catch(unlessGone);
    }
  }

  #revisionOf(workload: Cached<T>, revision: number): ControllerRevision {
    const { metadata, spec, status } = workload as Cached<Revised>;
    const template = deepCopy(spec?.template ?? {});
    const hash = templateHash(template, status?.collisionCount);
    const { annotations } = metadata;
    return {
      metadata: {
        name: `${metadata.name.slice(0, 223)}-${hash}`,
        namespace: metadata.namespace ?? "",
        labels: { ...template.metadata?.labels, [this.#label]: hash },
        ...(annotations !== undefined && { annotations: { ...annotations } }),
        ownerReferences: [
          controllerReference(workload as DeepReadonly<Stored<KubeObject>>, this.#owner),
        ],
      },
      data: { spec: { template: { ...template, $patch: "replace" } } },
      revision,
    };
  }

  async #create(
    workload: Cached<T>,
    wanted: ControllerRevision,
    signal: AbortSignal,
  ): Promise<Cached<ControllerRevision>> {
    try {
      return await this.#frame.client.create(ControllerRevisions, wanted, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { name = "", namespace = "" } = wanted.metadata;
      const found = await this.#frame.client.get(ControllerRevisions, name, { namespace, signal });
      // The cache does not show the revision yet.
      if (isControlledBy(found, workload) && isSame(found.data, wanted.data)) return found;
      throw new HashCollision(`${name} is the revision of another template`);
    }
  }
}
