import type { ResourceRegistry } from "./resource_registry.ts";
import type { ResponseWriter } from "./responses.ts";

/** What discovery needs to know. */
export interface DiscoveryRequest {
  readonly path: string;
  /** The host the caller used, told back to it. */
  readonly host: string;
  readonly query: URLSearchParams;
  readonly request: Request;
  readonly registry: ResourceRegistry;
  readonly writer: ResponseWriter;
}
