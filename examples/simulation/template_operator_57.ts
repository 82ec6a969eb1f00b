/**
 * An application whose user wants a number of replicas. The operator sets that number in the Deployment, and takes 0 for
 * an absent number: an application cannot be switched off.
 *
 * https://github.com/flanksource/template-operator/issues/57
 *
 * What finds it: a campaign from the schema, which sets the number to its minimum. That alone would end where it began,
 * but a new application with 0 replicas has another Deployment.
 *
 * @module
 */

import { defineResource, Deployments, type ObjectOf, type Resource } from "@kubeloop/controller";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const Applications = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Application",
  spec: {
    type: "object",
    properties: { replicas: { type: "integer", minimum: 0, maximum: 10, default: 2 } },
  },
});

/** Reports whether a number of replicas is wanted. */
type IsWanted = (replicas: number | undefined) => boolean;

const broken: IsWanted = (replicas) => Boolean(replicas);
const repaired: IsWanted = (replicas) => replicas !== undefined;

const operator = (isWanted: IsWanted) =>
  ownerController<ObjectOf<typeof Applications>>(
    Applications,
    [Deployments as Resource],
    async ({ call, client, find, metadata, owner }) => {
      const { replicas } = owner.spec;
      const wanted = isWanted(replicas) ? { replicas } : {};
      const current = find(Deployments);
      if (current === undefined) {
        const labels = { app: metadata.name };
        const template = {
          metadata: { labels },
          spec: { containers: [{ name: "app", image: "app:1" }] },
        };
        const spec = { ...wanted, selector: { matchLabels: labels }, template };
        await client.create(Deployments, { metadata, spec }, call);
      } else if (isWanted(replicas) && current.spec?.replicas !== replicas) {
        await client.patch(Deployments, metadata.name, { spec: wanted }, call);
      }
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/flanksource/template-operator/issues/57",
  finding: {
    oracle: "end state",
    says: ["spec.replicas: 2 → 0 → 2", "deployments.apps default/campaign: spec.replicas"],
  },
  simulate: (logic) =>
    simulation({
      name: "template-operator#57",
      process: operator(logic === "broken" ? broken : repaired),
      workload: campaign(Applications),
    }),
};

if (import.meta.main) await demonstrate(bug);
