import { del, get, merge, post, put, type StepScenario } from "../../step.ts";
import { DEFINITIONS } from "../_objects.ts";
import { Hooks } from "./_hooks.ts";
import { convert, define, GROUP, success } from "./conversion.ts";

const NS = "hooks-unreadable";
const hooks = new Hooks(NS);
const MAPS = `/api/v1/namespaces/${NS}/configmaps`;
const PLURAL = "unreadables";
const path = (version: string) => `/apis/${GROUP}/${version}/namespaces/${NS}/${PLURAL}`;
const [V1, V2] = [path("v1"), path("v2")];

const thing = (name: string, labels: object = {}) => ({
  apiVersion: `${GROUP}/v2`,
  kind: "Unreadable",
  metadata: { name, labels },
  spec: { colour: "red" },
});

const OPTIONS = { kind: "DeleteOptions", apiVersion: "v1" };
const UNSAFE = { ...OPTIONS, ignoreStoreReadErrorWithClusterBreakingPotential: true };

/** Reads and deletions of stored objects that a webhook does not convert. */
export const unreadables: StepScenario = {
  name: "hooks-unreadable",
  webhooks: hooks.scripts({
    "converting/unreadables": (request) =>
      request.desiredAPIVersion.endsWith("/v1")
        ? { result: { status: "Failure", message: "cannot convert" } }
        : success(convert(request)),
  }),
  steps: [
    ...hooks.begin,
    define(PLURAL, "Unreadable", PLURAL),
    ...[V1, V2].map((one) => get(one, { unseen: true, whileStatus: [404, 429] })),
    post(V2, thing("a")),
    post(V2, thing("b", { b: "c" })),
    get(V1, { unseen: true, until: "initializing" }),
    get(V1),
    get(`${V1}?limit=1`),
    get(`${V1}?limit=500`),
    get(`${V1}?limit=500&labelSelector=b%3Dc`),
    get(`${V1}?labelSelector=b%3Dc`),
    get(`${V1}?fieldSelector=metadata.name%3Da`),
    get(`${V1}?resourceVersion=0`),
    get(`${V1}?resourceVersion=0&limit=1`),
    get(`/apis/${GROUP}/v1/${PLURAL}?limit=2`),
    get(`${V1}?watch=true&timeoutSeconds=1`),
    get(`${V1}?watch=true&timeoutSeconds=1&resourceVersion=0`),
    get(`${V1}/a?resourceVersion=0`),
    get(`${V1}/a/status`),
    get(`${V1}/a`, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    put(`${V1}/a`, { ...thing("a"), apiVersion: `${GROUP}/v1` }),
    merge(`${V1}/a`, { metadata: { labels: { d: "e" } } }),
    merge(`${V1}/a/status`, { status: { n: 1 } }),
    merge(`${V1}/a/scale`, { spec: { replicas: 1 } }),
    del(V1),
    del(`${V1}?limit=1`),
    del(`${V1}/a?dryRun=All`),
    del(`${V1}/none`),
    get(V2),
    // Unsafe deletions.
    post(MAPS, { metadata: { name: "m" } }),
    del(`${MAPS}/m`, UNSAFE),
    del(`${MAPS}/m?ignoreStoreReadErrorWithClusterBreakingPotential=true`),
    del(`${MAPS}/m`, { ...UNSAFE, dryRun: ["All"] }),
    del(`${MAPS}/m`, { ...UNSAFE, gracePeriodSeconds: 0 }),
    del(`${MAPS}/m`, { ...UNSAFE, propagationPolicy: "Orphan" }),
    del(`${MAPS}/m`, { ...UNSAFE, preconditions: { uid: "u" }, orphanDependents: true }),
    del(`${MAPS}/m`, UNSAFE, { as: "nobody" }),
    del(`${MAPS}/none`, UNSAFE),
    del(MAPS, UNSAFE),
    del(`${V2}/a`, UNSAFE),
    del(`${V1}/b`, { ...UNSAFE, dryRun: ["All"] }),
    del(`${V1}/a`, { ...UNSAFE, preconditions: { uid: "u" } }),
    del(`${V1}/a`, UNSAFE),
    del(`${V1}/a`, UNSAFE),
    get(`${V2}/a`),
    get(V2),
    ...hooks.end,
    del(`${DEFINITIONS}/${PLURAL}.${GROUP}`, undefined, { unseen: true }),
  ],
};
