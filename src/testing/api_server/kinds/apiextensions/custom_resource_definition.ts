import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";
import { column, CREATED_AT, fill, isTrue, NAME, objects } from "../shared/mod.ts";
import { isKnownFormat } from "../../schema/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { validateCrdName, validateCrdSpec, validateCrdUpdate } from "./crd_validation.ts";

/** CustomResourceDefinitions. */
export const CUSTOM_RESOURCE_DEFINITION: KindRecord = defineKind(
  "apiextensions.k8s.io/v1",
  "customresourcedefinitions",
  "CustomResourceDefinition",
  {
    storagePath: "apiextensions.k8s.io/customresourcedefinitions",
    namespaced: false,
    storedVersion: "v1beta1",
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    subresources: [STATUS],
    storedAsJson: true,
    counts: [["spec"]],
    allowUnconditionalUpdate: false,
    defaults: defaultCrd,
    prepareCreate: addStoredVersion,
    prepareUpdate: addStoredVersion,
    names: "subdomain",
    finalizers: "any",
    validatesAgain: false,
    validate: (crd, release) => [
      ...validateCrdName(crd),
      ...validateCrdSpec(crd, undefined, release),
    ],
    declarative: false,
    validateChange: (next, old, release) => [
      ...validateCrdSpec(next, old, release),
      ...validateCrdUpdate(next, old),
    ],
    warnings: formatWarnings,
    deletion: { mode: "definition" },
  },
  {
    since: "1.37",
    table: {
      hasNullRows: true,
      columns: [
        NAME,
        column("Scope", "Cluster/Namespaced"),
        column("Versions", "Served versions"),
        CREATED_AT,
        column("Group", "API group", 1),
        column("Kind", "CustomResource kind", 1),
        column("ShortNames", "Short names", 1),
        column("Established", "Established status", 1, "boolean"),
      ],
      row: definitionCells,
    },
  },
);

function definitionCells(crd: JsonObject): Json[] {
  const versions = objects(crd, "spec", "versions").filter((one) => one["served"] === true);
  const shown = versions.map((one) =>
    `${getString(one, "name")}${one["storage"] === true ? "(storage)" : ""}`
  );
  return [
    getString(crd, "metadata", "name"),
    getString(crd, "spec", "scope"),
    shown.sort().join(","),
    getString(crd, "metadata", "creationTimestamp"),
    getString(crd, "spec", "group"),
    getString(crd, "spec", "names", "kind"),
    getArray(crd, "spec", "names", "shortNames").join(","),
    isTrue(crd, "Established"),
  ];
}

function defaultCrd(crd: JsonObject): void {
  const spec = getObject(crd, "spec");
  const names = getObject(spec, "names");
  const kind = getString(names, "kind");
  fill(names, "singular", kind.toLowerCase());
  if (kind !== "") fill(names, "listKind", `${kind}List`);
  if (!isObject(getOwn(spec, "conversion"))) spec["conversion"] = { strategy: "None" };
  const service = getOwn(getObject(spec, "conversion", "webhook", "clientConfig"), "service");
  if (isObject(service)) fill(service, "port", 443);
  const status = getObject(crd, "status");
  const stored = objects(spec, "versions").find((version) => version["storage"] === true);
  if (getArray(status, "storedVersions").length === 0 && stored !== undefined) {
    status["storedVersions"] = [getString(stored, "name")];
  }
}

function addStoredVersion(crd: JsonObject): JsonObject {
  const storage = objects(crd, "spec", "versions").find((version) => version["storage"] === true);
  const name = storage === undefined ? "" : getString(storage, "name");
  const versions = getArray(crd, "status", "storedVersions");
  if (name === "" || versions.includes(name)) return crd;
  return withPath(crd, ["status", "storedVersions"], [...versions, name]);
}

/** Returns the warnings for formats of strings that the server does not know. */
function formatWarnings(crd: JsonObject): string[] {
  const formats = objects(crd, "spec", "versions").flatMap((version) =>
    formatsOf(getObject(version, "schema", "openAPIV3Schema"))
  );
  return [...new Set(formats)].filter((format) => !isKnownFormat(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function formatsOf(schema: JsonObject): string[] {
  const format = getString(schema, "type") === "string" ? getString(schema, "format") : "";
  const inner = [
    ...Object.values(getObject(schema, "properties")),
    getOwn(schema, "items"),
    getOwn(schema, "additionalProperties"),
  ].filter((one) => isObject(one));
  return [...(format === "" ? [] : [format]), ...inner.flatMap(formatsOf)];
}
