import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";
import { fill, objects } from "../shared/mod.ts";
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
);

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
