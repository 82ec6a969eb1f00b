import { del, merge, post, type RequestStep, type StepScenario } from "../../step.ts";
import { NS as SAMPLES_NS, type Sample, sampleObject, SAMPLES } from "../_samples.ts";
import { Hooks, patch } from "./_hooks.ts";

const NS = "hooks-kinds";
const hooks = new Hooks(NS);
const RULE = {
  operations: ["CREATE", "UPDATE", "DELETE"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*/*"],
  scope: "Namespaced",
};

function writes(sample: Sample): RequestStep[] {
  const path = sample.path.replace(SAMPLES_NS, NS);
  const object = sampleObject(sample, { labels: { see: "on", change: "on" } });
  const one = `${path}/${object.metadata.name}`;
  return [
    post(path, object),
    merge(one, { metadata: { annotations: { a: "b" } } }),
    merge(`${one}/status`, { metadata: { annotations: { c: "d" } } }),
    del(`${one}?gracePeriodSeconds=0`),
  ];
}

/** Writes of each namespaced kind, as webhooks see and change them. */
export const kinds: StepScenario = {
  name: "hooks-kinds",
  webhooks: hooks.scripts({
    "mutating/change": ({ object }) =>
      object === null || object === undefined
        ? { allowed: true }
        : patch({ op: "add", path: "/metadata/labels/changed", value: "yes" }),
    "validating/see": () => ({ allowed: true, warnings: ["seen"] }),
  }),
  steps: [
    ...hooks.begin,
    hooks.install("mutating", "change", { rules: [RULE] }),
    hooks.install("validating", "see", { rules: [RULE] }),
    ...hooks.ready,
    ...SAMPLES.filter(({ path }) => path.includes("/namespaces/")).flatMap(writes),
    ...hooks.end,
  ],
};
