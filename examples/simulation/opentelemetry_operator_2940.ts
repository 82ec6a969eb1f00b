/**
 * A collector whose Pods are to run on some nodes only. The operator merges the wanted node selector into that of the
 * Deployment, and updates the Deployment if that changes anything. So an entry is added, but never removed: the Pods
 * stay on the nodes that the user has once wanted.
 *
 * https://github.com/open-telemetry/opentelemetry-operator/issues/2940
 *
 * What finds it: a campaign from the schema, which removes the node selector.
 *
 * @module
 */

import { defineResource, Deployments, type ObjectOf, type Resource } from "@kubeloop/controller";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const Collectors = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Collector",
  spec: {
    type: "object",
    properties: {
      image: { type: "string", default: "collector:1", minLength: 1 },
      nodeSelector: { type: "object", additionalProperties: { type: "string" } },
    },
  },
});

type Selector = Readonly<Record<string, string>>;

/** Returns the node selector of the Deployment. */
type Select = (has: Selector, wanted: Selector) => Selector;

const broken: Select = (has, wanted) => ({ ...has, ...wanted });
const repaired: Select = (_has, wanted) => wanted;

const operator = (select: Select) =>
  ownerController<ObjectOf<typeof Collectors>>(
    Collectors,
    [Deployments as Resource],
    async ({ call, client, find, metadata, owner }) => {
      const { image = "", nodeSelector: wanted = {} } = owner.spec;
      const current = find(Deployments);
      const has = current?.spec?.template.spec?.nodeSelector ?? {};
      const nodeSelector = select(has, wanted as Selector);
      const labels = { collector: metadata.name };
      const spec = {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { nodeSelector, containers: [{ name: "collector", image }] },
        },
      };
      if (current === undefined) await client.create(Deployments, { metadata, spec }, call);
      else if (
        !isSame(has, nodeSelector) || current.spec?.template.spec?.containers[0]?.image !== image
      ) {
        await client.update(Deployments, { metadata: current.metadata as never, spec }, call);
      }
    },
  );

function isSame(a: Selector, b: Selector): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/open-telemetry/opentelemetry-operator/issues/2940",
  finding: {
    oracle: "end state",
    says: ["spec.nodeSelector", "deployments.apps default/campaign", "nodeSelector"],
  },
  simulate: (logic) =>
    simulation({
      name: "opentelemetry-operator#2940",
      process: operator(logic === "broken" ? broken : repaired),
      workload: campaign(Collectors),
    }),
};

if (import.meta.main) await demonstrate(bug);
