import type { ResourceInfo } from "../kinds/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import type { ControllerContext } from "./controller_context.ts";
import { DefinitionController } from "./definition_controller.ts";
import { ApiServiceConditions } from "./api_service_conditions.ts";
import { FlowSchemaConditions } from "./flow_schema_conditions.ts";
import { RoleAggregator } from "./role_aggregator.ts";

/**
 * The controllers inside the server: CustomResourceDefinitions, aggregated ClusterRoles, and the conditions of
 * APIServices and FlowSchemas. Each runs in the write that causes its work.
 */
export class Controllers {
  readonly #context: ControllerContext;
  readonly #apiServices: ApiServiceConditions;
  readonly #definitions: DefinitionController;
  readonly #flowSchemas: FlowSchemaConditions;
  readonly #roles: RoleAggregator;

  /** Creates the controllers of a server. */
  constructor(context: ControllerContext) {
    this.#context = context;
    this.#apiServices = new ApiServiceConditions(context);
    this.#definitions = new DefinitionController(context);
    this.#flowSchemas = new FlowSchemaConditions(context);
    this.#roles = new RoleAggregator(context);
  }

  /** Reacts to a create or an update. */
  onWrite(resource: ResourceInfo, stored: StoredObject, previous: StoredObject | undefined): void {
    this.onRemove(resource);
    if (resource.record.deletion.mode === "definition") {
      this.#definitions.onWrite(resource, stored, previous);
    }
  }

  /** Reacts to the removal of an object. */
  onRemove(resource: ResourceInfo): void {
    const { namespaced, record: { directsFlow, grants } } = resource;
    this.#apiServices.sync(resource);
    if (directsFlow) this.#flowSchemas.sync();
    if (grants === undefined) return;
    this.#context.authorizer.invalidate();
    if (grants === "role" && !namespaced) this.#roles.sync();
  }

  /** Continues what an earlier server has left unfinished with definitions. */
  resume(): void {
    this.#definitions.resume();
  }

  /** Fills the rules of aggregated roles. */
  aggregateRoles(): void {
    this.#roles.sync();
  }

  /** Cancels the timers. */
  close(): void {
    this.#definitions.close();
  }
}
