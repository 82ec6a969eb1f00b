import { formatTime } from "@kubeloop/controller/types";
import { danglingOf, type ResourceInfo } from "../kinds/mod.ts";
import { getArray, getString, isObject, type Json, type JsonObject } from "../../values/mod.ts";
import type { ControllerContext } from "./controller_context.ts";
import { LevelLoop } from "./level_loop.ts";
import { withOwnedFields } from "./owned_fields.ts";

/** The field manager of the part of the API server that reads FlowSchemas. */
const MANAGER = "api-priority-and-fairness-config-consumer-v1";
const GROUP = "flowcontrol.apiserver.k8s.io";

/**
 * Says in the status of each FlowSchema whether its priority level exists, as the API server itself does: there a moment
 * later, here in the write itself.
 */
export class FlowSchemaConditions {
  readonly #server: ControllerContext;
  readonly #schemas: ResourceInfo;
  readonly #levels: ResourceInfo;
  readonly #loop: LevelLoop;

  /** Creates what keeps the conditions of the FlowSchemas in `server`. */
  constructor(server: ControllerContext) {
    this.#server = server;
    this.#schemas = server.registry.find(GROUP, "v1", "flowschemas")!;
    this.#levels = server.registry.find(GROUP, "v1", "prioritylevelconfigurations")!;
    this.#loop = new LevelLoop(
      server,
      "update the conditions of FlowSchemas",
      () => this.#update(),
    );
  }

  /** Brings all conditions up to date. Call it after every write of a FlowSchema or of a priority level. */
  sync(): void {
    this.#loop.sync();
  }

  /** Cancels the retries. */
  close(): void {
    this.#loop.close();
  }

  #update(): undefined {
    const { clock, storage } = this.#server;
    const store = storage.store(this.#schemas.storageName);
    const levels = storage.store(this.#levels.storageName);
    for (const stored of store.list("")) {
      const live = this.#schemas.read(stored);
      const schema = live as unknown as JsonObject;
      const level = getString(schema, "spec", "priorityLevelConfiguration", "name");
      const condition = danglingOf(level, levels.get(level) !== undefined);
      if (hasCondition(schema, condition)) continue;
      const now = formatTime(clock.wallNow());
      const status = { conditions: [{ ...condition, lastTransitionTime: now }] };
      const owner = { manager: MANAGER, subresource: "status", now };
      const object = withOwnedFields(this.#schemas, live, { status }, owner);
      storage.put(store, object, this.#schemas.encodeStored);
    }
  }
}

function hasCondition(schema: JsonObject, wanted: JsonObject): boolean {
  return getArray(schema, "status", "conditions").some((one: Json) =>
    isObject(one) && Object.keys(wanted).every((key) => one[key] === wanted[key])
  );
}
