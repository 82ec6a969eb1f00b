import type { ResourceRegistry } from "../kinds/mod.ts";
import type { ResponseWriter } from "../http/mod.ts";

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
