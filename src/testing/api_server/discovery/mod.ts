/**
 * Information about the server itself: API groups and resources, OpenAPI, version, health and metrics.
 *
 * Imports `http`, `kinds` and `values`.
 *
 * @module
 */

export { discoveryAnswer, rootPathsText } from "./discovery.ts";
export { healthAnswer } from "./health.ts";
export { healthMetricsAnswer, metricsAnswer } from "./metrics.ts";
export { openApiAnswer } from "./openapi/mod.ts";
export {
  RequestCounts,
  type RequestLabels,
  resourceLabels,
  systemLabels,
} from "./request_counts.ts";
export { statusPageAnswer } from "./status_page.ts";
export { tokenKeysAnswer } from "./token_keys.ts";
export { versionText } from "./version.ts";
