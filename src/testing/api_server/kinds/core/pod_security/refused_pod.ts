import { type ApiError, forbidden, getString, type JsonObject } from "../../../../values/mod.ts";

/** Returns the 403 of an admission plugin that refuses a Pod. */
export function refusedPod(pod: JsonObject, why: string): ApiError {
  const name = getString(pod, "metadata", "name") || getString(pod, "metadata", "generateName") ||
    "Unknown";
  return forbidden({ group: "", plural: "pods" }, name, why);
}
