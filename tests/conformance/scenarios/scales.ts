import { apply, get, jsonPatch, merge, post, put, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS, deployment, grouped, namespaced } from "./_objects.ts";

const NS = "suite-scales";
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const VALVES = grouped("suite.example.com/v1", NS, "valves");

const SPEC = { type: "object", properties: { turns: { type: "integer", minimum: 1 } } };
const STATUS = { type: "object", properties: { turns: { type: "integer" } } };

function scale(name: string, spec: object): object {
  return { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec };
}

function valve(name: string, spec: object): object {
  return { apiVersion: "suite.example.com/v1", kind: "Valve", metadata: { name }, spec };
}

/** Ownership of the replicas after writes of the scale, above all of zero replicas, which a Scale omits. */
export const scales: StepScenario = {
  name: "scales",
  steps: [
    namespaced(NS),
    post(DEPLOYMENTS, deployment("updated", { replicas: 3 }), { unseen: true }),
    merge(`${DEPLOYMENTS}/updated/scale`, { spec: { replicas: 0 } }),
    get(`${DEPLOYMENTS}/updated`),
    merge(`${DEPLOYMENTS}/updated/scale`, { spec: { replicas: 2 } }),
    get(`${DEPLOYMENTS}/updated`),
    put(`${DEPLOYMENTS}/updated/scale`, { metadata: { name: "updated" }, spec: {} }),
    get(`${DEPLOYMENTS}/updated`),
    apply(`${DEPLOYMENTS}/applied`, "one", deployment("applied", { replicas: 3 })),
    merge(`${DEPLOYMENTS}/applied/scale?fieldManager=k`, { spec: { replicas: 0 } }),
    get(`${DEPLOYMENTS}/applied`),
    apply(`${DEPLOYMENTS}/applied`, "one", deployment("applied", { replicas: 3 })),
    merge(`${DEPLOYMENTS}/applied/scale?fieldManager=k`, { spec: { replicas: 5 } }),
    get(`${DEPLOYMENTS}/applied`),
    apply(`${DEPLOYMENTS}/applied/scale`, "two", scale("applied", { replicas: 0 }), {
      force: true,
    }),
    get(`${DEPLOYMENTS}/applied`),
    jsonPatch(`${DEPLOYMENTS}/applied/scale`, [{ op: "remove", path: "/spec" }]),
    apply(`${DEPLOYMENTS}/applied/scale`, "two", scale("applied", { replicas: 6 })),
    get(`${DEPLOYMENTS}/applied`),
    apply(`${DEPLOYMENTS}/bare`, "one", deployment("bare")),
    put(`${DEPLOYMENTS}/bare/scale`, { metadata: { name: "bare" }, spec: { replicas: 4 } }),
    get(`${DEPLOYMENTS}/bare`),
    post(
      DEFINITIONS,
      definition("valves", "Valve", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: SPEC, status: STATUS } },
          },
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.turns", statusReplicasPath: ".status.turns" },
          },
        }],
      }),
      { unseen: true },
    ),
    get(VALVES, { whileStatus: [404, 429, 503], unseen: true }),
    post(VALVES, valve("v", { turns: 3 }), { unseen: true }),
    merge(`${VALVES}/v/scale`, { spec: { replicas: -1 } }),
    merge(`${VALVES}/v/scale`, { spec: { replicas: 0 } }),
    merge(`${VALVES}/v/scale`, { spec: { replicas: 7 } }),
    apply(`${VALVES}/v/scale`, "two", scale("v", { replicas: 8 })),
    get(`${VALVES}/v`),
  ],
};
