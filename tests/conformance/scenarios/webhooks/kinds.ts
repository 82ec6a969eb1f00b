import { del, merge, post, type RequestStep, type StepScenario } from "../../step.ts";
import { type Sample, SAMPLES } from "../lifecycles.ts";
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

function writes({ path, kind, body, name = "suite-life" }: Sample): RequestStep[] {
  const own = path.replace("suite-lifecycles", NS);
  const [, first, group, version] = path.split("/");
  const apiVersion = first === "api" ? "v1" : `${group}/${version}`;
  const labels = { see: "on", change: "on" };
  return [
    post(own, { ...body, apiVersion, kind, metadata: { name, labels } }),
    merge(`${own}/${name}`, { metadata: { annotations: { a: "b" } } }),
    merge(`${own}/${name}/status`, { metadata: { annotations: { c: "d" } } }),
    del(`${own}/${name}?gracePeriodSeconds=0`),
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
