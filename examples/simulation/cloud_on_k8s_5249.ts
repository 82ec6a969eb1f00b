/**
 * The Elastic operator creates Secrets for each Elasticsearch cluster: passwords and certificates. Users copy them, and
 * so they have no owner reference, only a label with the name of the cluster. The operator itself deletes them when the
 * cluster is gone, and looks for Secrets without a cluster when it starts.
 *
 * The bug: a cluster was deleted and created again. An operator that starts anew reads from an API server whose cache is
 * behind, in which the cluster is gone and its Secrets are not. It deletes the Secrets by their names, which now belong to
 * the new cluster. They are created again, with other passwords.
 *
 * Provoked by a restart on a replica of the API server that stands between the two clusters. The rule that is broken is
 * the one for deletes on stale knowledge, since there are Secrets of the right names in the end.
 *
 * The repair: a Secret is deleted with its UID as a precondition, which the Secret of the new cluster does not have.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  defineResource,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeObject,
  type Resource,
  type Secret,
  Secrets,
  SharedInformer,
} from "@kubeloop/controller";
import { create, type ProcessEnv, remove, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Elasticsearch extends KubeObject {
  spec: { version: string };
}

const Elasticsearches: Resource<Elasticsearch> = defineResource<Elasticsearch>({
  group: "elasticsearch.example.com",
  version: "v1",
  plural: "elasticsearches",
  kind: "Elasticsearch",
  namespaced: true,
});

/** The label that says whose a Secret is. */
const OWNER = "eck.example.com/owner-name";

/** Deletes a Secret whose cluster is gone. */
type DeleteSecret = (client: Client, secret: Cached<Secret>) => Promise<unknown>;

const broken: DeleteSecret = (client, { metadata: { name, namespace } }) =>
  client.delete(Secrets, name, { namespace });

const repaired: DeleteSecret = (client, { metadata: { name, namespace, uid } }) =>
  client.delete(Secrets, name, { namespace, preconditions: { uid } });

async function operator({ client, logger, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const deleteSecret = logic === "broken" ? broken : repaired;
  const clusters = new SharedInformer(client.listerWatcher(Elasticsearches), {
    ...client.environment,
    name: "elasticsearches",
    logger,
  });
  const secrets = new SharedInformer(client.listerWatcher(Secrets), {
    ...client.environment,
    name: "secrets",
    logger,
  });
  secrets.addIndexers({
    owner: ({ metadata }) => {
      const owner = metadata.labels?.[OWNER];
      return owner === undefined ? [] : [`${metadata.namespace}/${owner}`];
    },
  });
  const controller = new Controller({
    informer: clusters,
    waitFor: [secrets],
    async reconcile(key) {
      const cluster = clusters.indexer.getByKey(key);
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) {
        for (const secret of secrets.indexer.byIndex("owner", key)) {
          await deleteSecret(client, secret).catch(ignore(isNotFound, isConflict));
        }
        return;
      }
      const { name, namespace } = cluster.metadata;
      for (
        const suffix of ["es-elastic-user", "es-http-certs-public", "es-transport-certs-public"]
      ) {
        await client.create(Secrets, {
          metadata: { name: `${name}-${suffix}`, labels: { [OWNER]: name } },
          stringData: { version: cluster.spec.version },
        }, { namespace }).catch(ignore(isAlreadyExists));
      }
    },
  });
  const enqueueOwner = ({ metadata }: Cached<Secret>) => {
    const owner = metadata.labels?.[OWNER];
    if (owner !== undefined) controller.enqueue(`${metadata.namespace}/${owner}`);
  };
  secrets.addEventHandler({
    // At the start, this is for the Secrets of clusters that were deleted while the operator did not run.
    onAdd: enqueueOwner,
    onDelete: (last) => {
      if ("metadata" in last) enqueueOwner(last);
    },
  });
  await controller.run({ signal });
}

function ignore(...expected: ((error: unknown) => boolean)[]): (error: unknown) => void {
  return (error) => {
    if (!expected.some((is) => is(error))) throw error;
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/elastic/cloud-on-k8s/issues/5249",
  finding: {
    oracle: "stale delete",
    says: [
      "deletes secrets default/es-es-elastic-user by its name, since it knows of no elasticsearches",
    ],
    story: ["started again on a replica that stands at"],
  },
  simulate: (logic) =>
    simulation({
      name: "cloud-on-k8s 5249",
      process: (env) => operator(env, logic),
      workload: [
        create(Elasticsearches, "es", { spec: { version: "7.16.2" } }),
        settle(),
        remove(Elasticsearches, "es"),
        settle(),
        create(Elasticsearches, "es", { spec: { version: "7.16.2" } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
