import { getObject, getString, type JsonObject, withPath } from "../../../../values/mod.ts";
import { objects, roundAll } from "../../shared/mod.ts";
import { defineKind, type KindRecord } from "../../record/mod.ts";
import { validateLimitRange } from "./limit_range_validation.ts";

/** LimitRanges. */
export const LIMIT_RANGE: KindRecord = defineKind("v1", "limitranges", "LimitRange", {
  shortNames: ["limits"],
  allowCreateOnUpdate: true,
  defaults: defaultLimitRange,
  prepareCreate: named,
  names: "subdomain",
  validatesMetaChange: false,
  validate: validateLimitRange,
});

/** Names a LimitRange without a name by an id. */
function named(range: JsonObject): JsonObject {
  const { name, uid } = getObject(range, "metadata");
  return name ? range : withPath(range, ["metadata", "name"], uid!);
}

/** Sets what a limit of containers leaves out: the default limit from the maximum, the default request from both. */
function defaultLimitRange(range: JsonObject): void {
  for (const limit of objects(range, "spec", "limits")) {
    roundAll(limit, "max", "min", "default", "defaultRequest", "maxLimitRequestRatio");
    if (getString(limit, "type") !== "Container") continue;
    const limits = { ...getObject(limit, "max"), ...getObject(limit, "default") };
    limit["default"] = limits;
    limit["defaultRequest"] = {
      ...getObject(limit, "min"),
      ...limits,
      ...getObject(limit, "defaultRequest"),
    };
  }
}
