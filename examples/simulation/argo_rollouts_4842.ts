/**
 * A controller that runs an Experiment: it creates a ReplicaSet for each template, and reports the phase.
 *
 * The controller looks for the ReplicaSet in its cache and creates it if the cache has none. When the next reconcile
 * comes before the cache shows the ReplicaSet, the create is answered with AlreadyExists. The controller then asks the
 * same cache for the existing ReplicaSet, gets "not found", and takes that for a failure of the Experiment. A failed
 * Experiment is never run again, and its Rollout is aborted.
 *
 * https://github.com/argoproj/argo-rollouts/issues/4842
 *
 * What finds it: events of ReplicaSets that come later than those of Experiments.
 *
 * The repaired controller asks the server. Our first repair did no more than that, and the simulation found that any
 * error of a create, such as an answer that is lost, still ended the Experiment for good. So both controllers fail an
 * Experiment only if the server finds its template invalid; the broken one also if it finds no ReplicaSet.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
  isAlreadyExists,
  isControlledBy,
  isInvalid,
  joinMetaNamespaceKey,
  type KubeObject,
  type ReplicaSet,
  ReplicaSets,
  type Resource,
  SharedInformer,
  TerminalError,
} from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

type Phase = "Pending" | "Running" | "Error";

interface Experiment extends KubeObject {
  spec: { templates: string[] };
  status?: { phase?: Phase; message?: string };
}

const Experiments: Resource<Experiment> = defineResource<Experiment>({
  group: "example.com",
  version: "v1",
  plural: "experiments",
  kind: "Experiment",
  namespaced: true,
});

/** Returns a ReplicaSet that already exists. */
type Find = (
  controller: ExperimentController,
  name: string,
  namespace: string | undefined,
) => Promise<Cached<ReplicaSet>>;

const broken: Find = async ({ replicaSets }, name, namespace) => {
  const found = await replicaSets.indexer.getByKey(joinMetaNamespaceKey(namespace, name));
  if (found === undefined) throw new TerminalError(`replicasets.apps "${name}" not found`);
  return found;
};

/** The server knows best, for it has just said that the ReplicaSet exists. */
const repaired: Find = ({ client }, name, namespace) =>
  client.get(ReplicaSets, name, { namespace });

class ExperimentController {
  readonly find: Find;
  readonly client: Client;
  readonly experiments: SharedInformer<Experiment>;
  readonly replicaSets: SharedInformer<ReplicaSet>;

  constructor(client: Client, find: Find) {
    this.client = client;
    this.find = find;
    this.experiments = new SharedInformer(client.listerWatcher(Experiments));
    this.replicaSets = new SharedInformer(client.listerWatcher(ReplicaSets));
  }

  run(signal: AbortSignal): Promise<void> {
    const controller = new Controller({
      informer: this.experiments,
      waitFor: [this.replicaSets],
      reconcile: (key) => this.reconcile(key),
    });
    // A ReplicaSet of an earlier Experiment of the same name is in the way until it is gone.
    this.replicaSets.addEventHandler({
      onDelete(last) {
        const replicaSet = DeletedFinalStateUnknown.lastKnownState(last);
        const { namespace, ownerReferences = [] } = replicaSet?.metadata ?? {};
        for (const { name } of ownerReferences) {
          controller.enqueue(joinMetaNamespaceKey(namespace, name));
        }
      },
    });
    return controller.run({ signal });
  }

  async reconcile(key: string): Promise<void> {
    const experiment = this.experiments.indexer.getByKey(key);
    if (experiment === undefined || experiment.status?.phase === "Error") return;
    if (experiment.status?.phase === undefined) await this.report(experiment, "Pending");
    try {
      for (const template of experiment.spec.templates) await this.ensure(experiment, template);
    } catch (error) {
      if (!(error instanceof TerminalError) && !isInvalid(error)) throw error;
      await this.report(experiment, "Error", `Failed to create ReplicaSet: ${error}`);
      return;
    }
    if (experiment.status?.phase !== "Running") await this.report(experiment, "Running");
  }

  async ensure(experiment: Cached<Experiment>, template: string): Promise<void> {
    const { namespace } = experiment.metadata;
    const name = `${experiment.metadata.name}-${template}`;
    const cached = this.replicaSets.indexer.getByKey(joinMetaNamespaceKey(namespace, name));
    if (cached !== undefined && isControlledBy(cached, experiment)) return;
    const labels = { experiment: experiment.metadata.name, template };
    try {
      await this.client.create(ReplicaSets, {
        metadata: { name, labels, ownerReferences: [controllerReference(experiment, Experiments)] },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "main", image: template }] },
          },
        },
      }, { namespace });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await this.find(this, name, namespace);
      if (!isControlledBy(existing, experiment)) throw error;
    }
  }

  async report({ metadata }: Cached<Experiment>, phase: Phase, message?: string): Promise<void> {
    const { name, namespace } = metadata;
    const status = { phase, ...(message !== undefined && { message }) };
    await this.client.patchStatus(Experiments, name, { status }, { namespace });
  }
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/argoproj/argo-rollouts/issues/4842",
  finding: {
    oracle: "end state",
    says: ['status.message should be absent and is "Failed to create ReplicaSet'],
    story: [
      "create replicasets.apps default/checkout-",
      "is answered with 409",
      "<== the wrong write",
    ],
  },
  simulate: (logic) =>
    simulation({
      name: "argo-rollouts#4842",
      process({ client, signal }: ProcessEnv) {
        const find = logic === "broken" ? broken : repaired;
        return new ExperimentController(client, find).run(signal);
      },
      workload: [
        create(Experiments, "checkout", { spec: { templates: ["baseline", "canary"] } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
