import { apply, del, get, merge, post, type RequestStep, type StepScenario } from "../step.ts";

const FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1";
const SCHEMAS = `${FLOWS}/flowschemas`;
const LEVELS = `${FLOWS}/prioritylevelconfigurations`;

const schema = (name: string, level: string, matchingPrecedence: number) => ({
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  metadata: { name },
  spec: {
    matchingPrecedence,
    priorityLevelConfiguration: { name: level },
    rules: [{
      subjects: [{ kind: "User", user: { name: "nobody-at-all" } }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/suite"] }],
    }],
  },
});

/** Reads a FlowSchema once its conditions are written. */
const settled = (name: string, status: string): RequestStep =>
  get(`${SCHEMAS}/${name}`, { until: `"type":"Dangling","status":"${status}"` });

/** FlowSchemas whose priority level exists, comes and goes. */
export const flows: StepScenario = {
  name: "flows",
  steps: [
    post(SCHEMAS, schema("suite-b", "workload-low", 7000)),
    settled("suite-b", "False"),
    post(SCHEMAS, schema("suite-a", "suite-level", 7000)),
    settled("suite-a", "True"),
    post(LEVELS, {
      metadata: { name: "suite-level" },
      spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
    }),
    settled("suite-a", "False"),
    apply(`${SCHEMAS}/suite-a`, "m", schema("suite-a", "suite-level", 6999)),
    merge(`${SCHEMAS}/suite-b`, { spec: { priorityLevelConfiguration: { name: "suite-other" } } }),
    settled("suite-b", "True"),
    del(`${LEVELS}/suite-level`),
    settled("suite-a", "True"),
    del(`${SCHEMAS}/suite-a`),
    del(`${SCHEMAS}/suite-b`),
  ],
};
