import type { Clock, Logger } from "@kubeloop/controller/internal/base";
import type { Authorizer } from "../access/mod.ts";
import type { ResourceInfo, ResourceRegistry } from "../kinds/mod.ts";
import type {
  RequestAuthor,
  ResourceStore,
  Storage,
  StoredObject,
  WatchRegistry,
} from "../storage/mod.ts";

/** The parts of the server that its controllers use. */
export interface ControllerContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly watches: WatchRegistry;
  readonly authorizer: Authorizer;
  /** Notifies the controllers of a write. */
  written(resource: ResourceInfo, stored: StoredObject): void;
  /** Removes an object, for a client or by itself, and notifies the controllers. Returns its last state. */
  remove(
    resource: ResourceInfo,
    store: ResourceStore,
    stored: StoredObject,
    author?: RequestAuthor,
  ): StoredObject;
}
