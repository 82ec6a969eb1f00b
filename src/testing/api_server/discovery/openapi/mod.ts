/**
 * The schemas that the server publishes, as OpenAPI v2 and v3.
 *
 * @module
 */

export { openApiAnswer } from "./answer.ts";
export { hashOf } from "./documents.ts";
