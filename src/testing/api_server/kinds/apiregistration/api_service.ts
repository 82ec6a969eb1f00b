import {
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";
import { AGE, column, fill, NAME, named, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { validateApiService, validateApiServiceStatus } from "./api_service_validation.ts";

/** APIServices. */
export const API_SERVICE: KindRecord = defineKind(
  "apiregistration.k8s.io/v1",
  "apiservices",
  "APIService",
  {
    storagePath: "apiregistration.k8s.io/apiservices",
    namespaced: false,
    categories: ["api-extensions"],
    subresources: [STATUS],
    allowUnconditionalUpdate: false,
    statusKeeps: ["labels", "annotations", "finalizers", "ownerReferences"],
    prepareCreate: localIsAvailable,
    names: "pathSegment",
    declarative: false,
    finalizers: "any",
    defaults: (one) => {
      const service = getPath(one, "spec", "service");
      if (isObject(service)) fill(service, "port", 443);
    },
    validate: validateApiService,
    validateStatus: validateApiServiceStatus,
    table: {
      repeatsColumns: true,
      columns: [
        NAME,
        column("Service", "The reference to the service that hosts this API endpoint."),
        column("Available", "Whether this service is available."),
        AGE,
      ],
      row: named(serviceCells),
    },
  },
);

/** Reports a local APIService as available. */
function localIsAvailable(one: JsonObject): JsonObject {
  if (isObject(getPath(one, "spec", "service"))) return one;
  const condition = {
    type: "Available",
    status: "True",
    lastTransitionTime: getString(one, "metadata", "creationTimestamp"),
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return withPath(one, ["status", "conditions"], [condition]);
}

function serviceCells(one: JsonObject): Json[] {
  const service = getPath(one, "spec", "service");
  const condition = objects(one, "status", "conditions").find((it) =>
    getString(it, "type") === "Available"
  );
  const status = getString(condition, "status");
  return [
    isObject(service)
      ? `${getString(service, "namespace")}/${getString(service, "name")}`
      : "Local",
    condition === undefined
      ? "Unknown"
      : status === "True"
      ? status
      : `${status} (${getString(condition, "reason")})`,
  ];
}
