import { describeError } from "@kubeloop/controller/internal/base";
import {
  type Cached,
  controllerReference,
  deepCopy,
  isAlreadyExists,
  isControlledBy,
  type LabelSelector,
} from "@kubeloop/controller/types";
import {
  isBeingDeleted,
  isSame,
  type Reconciler,
  setCondition,
  templateHash,
  unlessGone,
  whenTerminating,
} from "../control/mod.ts";
import { type Deployment, Deployments, type ReplicaSet, ReplicaSets } from "./apps_kinds.ts";
import { conditionOf, deadlineOf, progressOf, REASONS } from "./deployment_status.ts";
import { newSetAnnotations, revisionOf, sizeAnnotations } from "./rollout_annotations.ts";
import {
  HASH_LABEL,
  hasTemplateOf,
  newSetReplicas,
  replicasOf,
  REVISION,
} from "./rollout_numbers.ts";

type Set = Cached<ReplicaSet>;

/** One look at a Deployment and its ReplicaSets, and the writes that change them. */
export class Rollout {
  readonly #frame: Reconciler<Deployment>;
  readonly #signal: AbortSignal;
  #deployment: Cached<Deployment>;
  #newSet: Set | undefined;
  /** The ReplicaSets of other templates, oldest first. */
  #oldSets: readonly Set[];

  /** Finds the ReplicaSet that has the template of the Deployment: the oldest one, if there are several. */
  constructor(
    frame: Reconciler<Deployment>,
    deployment: Cached<Deployment>,
    sets: readonly Set[],
    signal: AbortSignal,
  ) {
    this.#frame = frame;
    this.#deployment = deployment;
    this.#signal = signal;
    const sorted = [...sets].sort(byAge);
    this.#newSet = sorted.find((set) => hasTemplateOf(set, deployment));
    this.#oldSets = sorted.filter((set) => set !== this.#newSet);
  }

  /** The Deployment, as last written. */
  get deployment(): Cached<Deployment> {
    return this.#deployment;
  }

  /** The ReplicaSet with the template of the Deployment. */
  get newSet(): Set | undefined {
    return this.#newSet;
  }

  /** The ReplicaSets with other templates, oldest first. */
  get oldSets(): readonly Set[] {
    return this.#oldSets;
  }

  /** All ReplicaSets. */
  get sets(): readonly Set[] {
    return this.#newSet === undefined ? this.#oldSets : [...this.#oldSets, this.#newSet];
  }

  /** Writes the status, and annotations if given, unless nothing changes; returns whether it has changed. */
  async save(
    status: NonNullable<Deployment["status"]> | Cached<Deployment>["status"],
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const { metadata, status: before } = this.#deployment;
    const all = { ...metadata.annotations, ...annotations };
    if (isSame(status, before) && isSame(all, metadata.annotations)) return false;
    this.#deployment = await this.#frame.client.updateStatus(Deployments, {
      ...this.#deployment,
      metadata: { ...metadata, annotations: all },
      status,
    } as Deployment, { signal: this.#signal });
    return true;
  }

  /** Writes the condition Progressing; nothing is written if the Deployment has no deadline. */
  async progress(
    holds: "True" | "False" | "Unknown",
    reason: string,
    message: string,
    annotations?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { status } = this.#deployment;
    if (deadlineOf(this.#deployment) === undefined) {
      return void await this.save(status, annotations);
    }
    const condition = conditionOf(
      "Progressing",
      holds,
      { reason, message },
      this.#frame.clock.wallNow(),
    );
    const conditions = [...setCondition(status?.conditions, condition)];
    await this.save({ ...status, conditions } as NonNullable<Deployment["status"]>, annotations);
  }

  /** Brings the annotations of the new ReplicaSet and the revision of the Deployment up to date. */
  async syncRevision(): Promise<void> {
    const set = this.#newSet;
    if (set === undefined) return;
    const { minReadySeconds = 0 } = this.#deployment.spec ?? {};
    const present = set.metadata.annotations ?? {};
    const annotations = newSetAnnotations(this.#deployment, present, this.#nextRevision());
    if (!isSame(annotations, present) || (set.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
      this.#newSet = await this.#write(set, { minReadySeconds }, annotations);
    }
    const revision = { [REVISION]: annotations[REVISION] ?? "" };
    if (progressOf(this.#deployment.status) === undefined) {
      const message = `Found new replica set "${set.metadata.name}"`;
      await this.progress("True", REASONS.found, message, revision);
    } else await this.save(this.#deployment.status, revision);
  }

  /** Creates the new ReplicaSet, with as many replicas as the strategy allows at once. */
  async createNewSet(): Promise<void> {
    const deployment = this.#deployment;
    const { metadata, spec, status } = deployment;
    const template = deepCopy(spec?.template ?? {});
    const hash = templateHash(template, status?.collisionCount);
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const name = `${metadata.name.slice(0, 252 - hash.length)}-${hash}`;
    const selector = deepCopy(spec?.selector ?? {}) as LabelSelector;
    const replicas = newSetReplicas(deployment, this.#oldSets, 0);
    const revision = this.#nextRevision();
    const wanted: ReplicaSet = {
      metadata: {
        name,
        namespace: metadata.namespace ?? "",
        labels,
        annotations: {
          ...newSetAnnotations(deployment, {}, revision),
          ...sizeAnnotations(deployment),
        },
        ownerReferences: [controllerReference(deployment, Deployments)],
      },
      spec: {
        replicas,
        ...(spec?.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
    try {
      this.#newSet = await this.#frame.client.create(ReplicaSets, wanted, { signal: this.#signal });
    } catch (error) {
      if (!await this.#creationFailed(error, name)) throw error;
      return;
    }
    if (replicas > 0) await this.#told(`Scaled up replica set ${name} from 0 to ${replicas}`);
    const message = `Created new replica set "${name}"`;
    await this.progress("True", REASONS.created, message, { [REVISION]: String(revision) });
  }

  /** Changes the replicas of a ReplicaSet, with an event, unless they are right; returns whether they have changed. */
  async scale(set: Set, replicas: number): Promise<boolean> {
    const before = replicasOf(set);
    const present = set.metadata.annotations ?? {};
    const annotations = { ...present, ...sizeAnnotations(this.#deployment) };
    if (before === replicas && isSame(annotations, present)) return false;
    const scaled = await this.#write(set, { replicas }, annotations);
    if (set === this.#newSet) this.#newSet = scaled;
    this.#oldSets = this.#oldSets.map((one) => one === set ? scaled : one);
    if (before === replicas) return false;
    const way = before < replicas ? "up" : "down";
    await this.#told(
      `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    );
    return true;
  }

  /** Deletes the oldest ReplicaSets without Pods, beyond the limit of the history. */
  async cleanUp(): Promise<void> {
    const { revisionHistoryLimit: limit } = this.#deployment.spec ?? {};
    if (limit === undefined) return;
    const alive = this.#oldSets.filter((set) => !isBeingDeleted(set))
      .sort((a, b) => revisionOf(a) - revisionOf(b));
    for (const set of alive.slice(0, Math.max(0, alive.length - limit))) {
      const { metadata, status } = set;
      const isSettled = (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
      if (status?.replicas || replicasOf(set) > 0 || !isSettled) continue;
      const { name, namespace = "", uid } = metadata;
      const call = { namespace, preconditions: { uid }, signal: this.#signal };
      await this.#frame.client.delete(ReplicaSets, name, call).catch(unlessGone);
    }
  }

  #nextRevision(): number {
    return Math.max(0, ...this.#oldSets.map(revisionOf)) + 1;
  }

  /** Returns true if the ReplicaSet exists already: the cache does not show it yet. */
  async #creationFailed(error: unknown, name: string): Promise<boolean> {
    if (this.#signal.aborted || whenTerminating(error)) return false;
    if (isAlreadyExists(error)) {
      const call = { namespace: this.#deployment.metadata.namespace ?? "", signal: this.#signal };
      const found = await this.#frame.client.get(ReplicaSets, name, call);
      if (isControlledBy(found, this.#deployment) && hasTemplateOf(found, this.#deployment)) {
        this.#newSet = found;
        return true;
      }
      // Another template has this hash.
      const { status } = this.#deployment;
      const collisionCount = (status?.collisionCount ?? 0) + 1;
      await this.save({ ...status, collisionCount } as NonNullable<Deployment["status"]>);
      return false;
    }
    const message = `Failed to create new replica set "${name}": ${describeError(error)}`;
    await this.progress("False", REASONS.failed, message);
    await this.#frame.events.write(Deployments, this.#deployment, {
      type: "Warning",
      reason: REASONS.failed,
      message,
    }, this.#signal);
    return false;
  }

  async #write(
    set: Set,
    spec: { readonly replicas?: number; readonly minReadySeconds?: number },
    annotations: Readonly<Record<string, string>>,
  ): Promise<Set> {
    return await this.#frame.client.update(ReplicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, ...spec },
    } as ReplicaSet, { signal: this.#signal });
  }

  async #told(message: string): Promise<void> {
    const event = { type: "Normal", reason: "ScalingReplicaSet", message } as const;
    await this.#frame.events.write(Deployments, this.#deployment, event, this.#signal);
  }
}

function byAge({ metadata: a }: Set, { metadata: b }: Set): number {
  const [first = "", second = ""] = [a.creationTimestamp, b.creationTimestamp];
  return first === second ? (a.name < b.name ? -1 : 1) : first < second ? -1 : 1;
}
