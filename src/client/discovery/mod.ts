/**
 * Discovery: which resources the server has, by kind and by the names that kubectl accepts.
 *
 * In come the answers to `/api` and `/apis`, out come resource descriptors. Imports `request`.
 *
 * @module
 */

export type { DiscoveredResource, GroupVersionKind, Unstructured } from "./discovered_resource.ts";
export { Discovery } from "./discovery.ts";
export { isUnknownKind, NoMatchError } from "./no_match_error.ts";
