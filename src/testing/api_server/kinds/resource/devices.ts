import { getOwn, isObject, type JsonObject } from "../../../values/mod.ts";
import { fill, objects } from "../shared/mod.ts";

/** Sets the defaults of the device requests of a ResourceClaim, also in a template. */
export function defaultDevices(devices: JsonObject): void {
  for (const request of objects(devices, "requests")) {
    const exactly = getOwn(request, "exactly");
    if (isObject(exactly)) defaultCount(exactly);
    for (const alternative of objects(request, "firstAvailable")) defaultCount(alternative);
  }
}

function defaultCount(request: JsonObject): void {
  fill(request, "allocationMode", "ExactCount");
  if (request["allocationMode"] === "ExactCount" && !getOwn(request, "count")) request["count"] = 1;
}
