import { close, get, merge, post, type StepScenario, watch } from "../step.ts";
import { configMap, core, namespaced } from "./_objects.ts";

const NS = "suite-compactions";
const MAPS = core(NS, "configmaps");
const NEXT = "continue={{page.metadata.continue}}";
const OLD = "resourceVersion={{page.metadata.resourceVersion}}";

/** Reads of a past that the storage no longer has. */
export const compactions: StepScenario = {
  name: "compactions",
  setting: { isCompacted: true },
  steps: [
    namespaced(NS),
    ...["a", "b", "c", "d"].map((name) => post(MAPS, configMap(name))),
    get(`${MAPS}?limit=1`, { save: "page" }),
    merge(`${MAPS}/b`, { data: { n: "1" } }),
    merge(`${MAPS}/b`, { data: { n: "2" } }),
    { compact: true },
    get(`${MAPS}?limit=1&${NEXT}`, { save: "expired", until: "Expired" }),
    get(`${MAPS}?limit=1&${NEXT}&labelSelector=a`),
    get(`${MAPS}?limit=1&continue={{expired.metadata.continue}}`, { save: "inconsistent" }),
    get(`${MAPS}?limit=1&continue={{inconsistent.metadata.continue}}`),
    get(`${MAPS}?${OLD}&resourceVersionMatch=Exact`),
    get(`${MAPS}?${OLD}&resourceVersionMatch=NotOlderThan`),
    get(`${MAPS}/b?${OLD}`),
    watch("same process", `${MAPS}?watch=1&${OLD}&timeoutSeconds=2`),
    close("same process"),
  ],
};
