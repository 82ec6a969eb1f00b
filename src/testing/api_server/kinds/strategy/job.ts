import { getObject, getPath, getString, type JsonObject, withPath } from "../../values/mod.ts";

const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";

/** Returns the labels that the server adds to the Pod template of a Job. */
export function generatedLabels(job: JsonObject): JsonObject {
  const uid = getString(job, "metadata", "uid");
  const name = getString(job, "metadata", "name");
  return {
    [CONTROLLER_UID]: uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
}

/** Generates the selector and the Pod labels of a Job from its UID, unless `manualSelector` is true. */
export function prepareJob(job: JsonObject): JsonObject {
  if (getPath(job, "spec", "manualSelector") === true) return job;
  const generated = generatedLabels(job);
  const labels = { ...generated, ...getObject(job, "spec", "template", "metadata", "labels") };
  const selector = {
    [CONTROLLER_UID]: generated[CONTROLLER_UID],
    ...getObject(job, "spec", "selector", "matchLabels"),
  };
  let result = withPath(job, ["spec", "template", "metadata", "labels"], labels);
  result = withPath(result, ["spec", "selector", "matchLabels"], selector);
  if (Object.keys(getObject(result, "metadata", "labels")).length > 0) return result;
  return withPath(result, ["metadata", "labels"], labels);
}
