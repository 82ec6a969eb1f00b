import { getObject, getOwn, isObject, type JsonObject } from "../../../values/mod.ts";
import { fill, objects } from "../shared/mod.ts";

/** Sets the defaults of the device requests of a ResourceClaim, also in a template. */
export function defaultDevices(devices: JsonObject): void {
  for (const request of objects(devices, "requests")) {
    const exactly = getOwn(request, "exactly");
    if (isObject(exactly)) defaultCount(exactly);
    for (const alternative of objects(request, "firstAvailable")) defaultCount(alternative);
  }
}

/** Returns the devices without their tolerations, a feature that is off by default. */
export function withoutTolerations(devices: JsonObject): JsonObject {
  const requests = objects(devices, "requests").map((request) => {
    const { tolerations: _, ...exactly } = getObject(request, "exactly");
    const alternatives = objects(request, "firstAvailable").map(({ tolerations: __, ...one }) =>
      one
    );
    return {
      ...request,
      ...(getOwn(request, "exactly") === undefined ? {} : { exactly }),
      ...(alternatives.length === 0 ? {} : { firstAvailable: alternatives }),
    };
  });
  return requests.length === 0 ? devices : { ...devices, requests };
}

function defaultCount(request: JsonObject): void {
  fill(request, "allocationMode", "ExactCount");
  if (request["allocationMode"] === "ExactCount" && !getOwn(request, "count")) request["count"] = 1;
}
