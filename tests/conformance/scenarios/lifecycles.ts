import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type Step,
  type StepScenario,
  viewed,
} from "../step.ts";
import { namespaced } from "./_objects.ts";
import { NS, type Sample, sampleObject, SAMPLES } from "./_samples.ts";
function life(sample: Sample, index: number): Step[] {
  const key = `k${index}`;
  const { path, kind } = sample;
  const object = (metadata: object = {}) => sampleObject(sample, metadata);
  const { apiVersion, metadata: { name } } = object();
  const one = `${path}/${name}`;
  const resourceVersion = `{{${key}.metadata.resourceVersion}}`;
  return [
    put(one, object()),
    del(`${one}?gracePeriodSeconds=0`),
    post(path, object({ generation: 7, uid: "own", creationTimestamp: "2026-01-01T00:00:00Z" }), {
      save: key,
    }),
    put(one, object()),
    put(one, object({ resourceVersion: "1" })),
    merge(one, {}),
    merge(one, { metadata: { annotations: { n: "1" }, generation: 9, finalizers: ["a.b/c"] } }),
    merge(one, { metadata: { resourceVersion } }),
    jsonPatch(one, [{ op: "remove", path: "/metadata/annotations" }]),
    apply(one, "m", { apiVersion, kind, metadata: { labels: { l: "1" } } }),
    get(`${one}?includeObject=None`, viewed("Table")),
    get(one, viewed("PartialObjectMetadata")),
    get(`${one}/status`),
    merge(`${one}/status`, { metadata: { labels: { s: "1" } }, status: {} }),
    del(one, { preconditions: { uid: "x" } }),
    del(one, { propagationPolicy: "Foreground" }),
    del(one),
    merge(one, { metadata: { finalizers: ["a.b/d"] } }),
    merge(one, { metadata: { finalizers: [] } }),
    del(one),
  ];
}

/** The life of an object of each kind: conflicts, preconditions, updates without effect, views and deletion. */
export const lifecycles: StepScenario = {
  name: "lifecycles",
  setting: {},
  steps: [namespaced(NS), ...SAMPLES.flatMap(life)],
};
