import { child, item, type JsonObject } from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

/** A container with its path. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly at: string;
}

/** Returns all containers of a Pod: first the init containers, then the others, at last the ephemeral ones. */
export function placedContainers(spec: JsonObject, field: string): PlacedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objects(spec, list).map((container, index) => ({
      container,
      at: item(child(field, list), index),
    }))
  );
}
