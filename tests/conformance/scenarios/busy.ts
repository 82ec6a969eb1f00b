import { close, get, type StepScenario, watch } from "../step.ts";
import { core, namespaced } from "./_objects.ts";

const NS = "suite-busy";
const MAPS = core(NS, "configmaps");

/** A server with low limits: it ends watches after a few seconds, and refuses a second request. */
export const busy: StepScenario = {
  name: "busy",
  setting: { minRequestTimeoutMs: 5000, maxRequestsInFlight: 1 },
  steps: [
    { ...namespaced(NS), save: "first" },
    watch("short", `${MAPS}?watch=1&resourceVersion={{first.metadata.resourceVersion}}`),
    close("short"),
    { whileBusy: get(`${MAPS}?limit=1`, { as: "nobody" }) },
  ],
};
