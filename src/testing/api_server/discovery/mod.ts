/**
 * Information about the server itself: API groups and resources, OpenAPI, version and health.
 *
 * Imports `http`, `kinds` and `values`.
 *
 * @module
 */

export { discoveryAnswer, rootPathsText } from "./discovery.ts";
export { healthAnswer } from "./health.ts";
export { openApiAnswer } from "./openapi/mod.ts";
export { refuseUnserved } from "./unserved.ts";
export { versionText } from "./version.ts";
