import type { ResourceRegistry } from "../kinds/mod.ts";
import type { ResponseWriter } from "../http/mod.ts";

/** The inputs of a discovery request. */
export interface DiscoveryRequest {
  readonly path: string;
  /** The host that the client used. The answer to `/api` contains it. */
  readonly host: string;
  readonly query: URLSearchParams;
  readonly request: Request;
  readonly registry: ResourceRegistry;
  readonly writer: ResponseWriter;
}
