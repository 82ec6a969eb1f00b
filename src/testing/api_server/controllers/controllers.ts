import type { ResourceInfo } from "../kinds/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import type { ControllerContext } from "./controller_context.ts";
import { DefinitionController } from "./definition_controller.ts";
import { ApiServiceConditions } from "./api_service_conditions.ts";
import { FlowSchemaConditions } from "./flow_schema_conditions.ts";
import { RoleAggregator } from "./role_aggregator.ts";

/**
 * The controllers inside the server: CustomResourceDefinitions, aggregated ClusterRoles, and the conditions of
 * APIServices and FlowSchemas. Each runs in the write that causes its work. A failure does not fail that write: the work
 * is repeated until it succeeds.
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

  /** Reacts to the write or the removal of an object. */
  onWrite(resource: ResourceInfo, { name }: StoredObject): void {
    const { namespaced, record } = resource;
    this.#apiServices.sync(resource);
    if (record.directsFlow) this.#flowSchemas.sync();
    if (record.deletion.mode === "definition") this.#definitions.sync(name);
    if (record.grants === undefined) return;
    this.#context.authorizer.invalidate();
    if (record.grants === "role" && !namespaced) this.#roles.sync();
  }

  /** Continues the work that an earlier server has not finished. */
  resume(): void {
    this.#definitions.resume();
  }

  /** Fills the rules of aggregated roles. */
  aggregateRoles(): void {
    this.#roles.sync();
  }

  /** Cancels the timers. */
  close(): void {
    this.#apiServices.close();
    this.#definitions.close();
    this.#flowSchemas.close();
    this.#roles.close();
  }
}
