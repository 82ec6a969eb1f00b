import {
  dns1035Label,
  dnsSubdomain,
  type FieldError,
  getPath,
  getString,
  invalidValue,
  type Json,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { column, immutable, isTrue, NAME, objects, validateConditions } from "../shared/mod.ts";

const RESOURCE = "spec.resource.resource";
const REVISION = "status.resourceVersion";
const PHASES = ["Running", "Failed", "Succeeded"];

/** StorageVersionMigrations. */
export const STORAGE_VERSION_MIGRATION: KindRecord = defineKind(
  "storagemigration.k8s.io/v1",
  "storageversionmigrations",
  "StorageVersionMigration",
  {
    served: { gate: "StorageVersionMigrator" },
    namespaced: false,
    storedVersion: "v1beta1",
    subresources: [STATUS],
    statusKeeps: ["*"],
    allowUnconditionalUpdate: false,
    names: "subdomain",
    wholeFirst: true,
    validate: validateResource,
    validateChange: (next, old) => immutable(next, old, "spec"),
    validateStatus,
    table: {
      columns: [
        { ...NAME, format: "" },
        column("Resource", "GroupResource to migrate"),
        column("Status", "Status of the migration"),
      ],
      row: (migration) => [
        getString(migration, "metadata", "name"),
        resourceText(migration),
        phaseOf(migration),
      ],
    },
  },
);

function resourceText(migration: JsonObject): string {
  const [group, resource] = ["group", "resource"].map((name) =>
    getString(migration, "spec", "resource", name)
  );
  return group === "" ? resource! : `${resource}.${group}`;
}

/** Returns the type of the last condition that is true. */
function phaseOf(migration: JsonObject): string {
  return objects(migration, "status", "conditions")
    .filter((one) => getString(one, "status") === "True")
    .map((one) => getString(one, "type"))
    .findLast((type) => PHASES.includes(type)) ?? "Unknown";
}

function validateResource(migration: JsonObject): FieldError[] {
  const [group, resource] = ["group", "resource"].map((name) =>
    getString(migration, "spec", "resource", name)
  ) as [string, string];
  const wrong = resource === "" ? [] : dns1035Label(resource);
  const wrongGroup = group === "" ? [] : dnsSubdomain(group);
  return [
    ...(resource === "" ? [required(RESOURCE, "resource is required to be set")] : []),
    ...(wrong.length === 0 ? [] : [invalidValue(RESOURCE, resource, wrong.join(","))]),
    ...(wrongGroup.length === 0
      ? []
      : [invalidValue("spec.resource.group", group, wrongGroup.join(","))]),
  ];
}

/** Returns the errors of a write of the status: what a migration has reached stays. */
function validateStatus(next: JsonObject, old: JsonObject, release: Release): FieldError[] {
  const [revision, before] = [next, old].map((one) => getString(one, "status", "resourceVersion"));
  const shown = getPath(next, "status", "conditions") ?? null as Json;
  const wrong = (reason: string) => invalidValue("status.conditions", shown, reason);
  const [succeeded, failed] = ["Succeeded", "Failed"].map((type) => isTrue(next, type));
  return [
    ...revisionErrors(revision!),
    ...validateConditions(next, release),
    ...(before !== "" && before !== revision
      ? [invalidValue(REVISION, revision, "field is immutable")]
      : []),
    ...(succeeded && failed
      ? [wrong("Both success and failed conditions cannot be true at the same time")]
      : []),
    ...(isTrue(old, "Succeeded") && !succeeded
      ? [wrong("Success condition cannot be set to false once it is true")]
      : []),
    ...(isTrue(old, "Failed") && !failed
      ? [wrong("Failed condition cannot be set to false once it is true")]
      : []),
  ];
}

/** Returns the errors of a resource version, which must be an integer. */
function revisionErrors(text: string): FieldError[] {
  if (text === "" || /^[1-9][0-9]*$/.test(text)) return [];
  const reason = `resource version is not well formed: ${text}`;
  return [invalidValue(REVISION, text, reason)];
}
