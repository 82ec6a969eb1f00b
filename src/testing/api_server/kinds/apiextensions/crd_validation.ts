import {
  byteLength,
  child,
  dns1035Label,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  givenOf,
  invalidValue,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import { immutable, objects, validateClientConfig, validateReviewVersions } from "../shared/mod.ts";
import { validateParts } from "./crd_parts_validation.ts";
import type { Release } from "../../release/mod.ts";
import { validateSchema } from "./crd_schema_validation.ts";
import { validateApproval } from "./api_approval.ts";

/**
 * Returns the validation errors of a CRD apart from its metadata.
 *
 * @param old The CRD before an update.
 */
export function validateCrdSpec(
  crd: JsonObject,
  old: JsonObject | undefined,
  release: Release,
): FieldError[] {
  const spec = getObject(crd, "spec");
  const names = getObject(spec, "names");
  const group = getString(spec, "group");
  const errors: FieldError[] = [];
  if (group === "") errors.push(required("spec.group"));
  else {
    const wrong = dnsSubdomain(group).map((text) => invalidValue("spec.group", group, text));
    errors.push(...wrong);
    if (wrong.length === 0 && !group.includes(".")) {
      errors.push(invalidValue("spec.group", group, "should be a domain with at least one dot"));
    }
  }
  const scope = getString(spec, "scope");
  if (scope === "") errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced") {
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
  errors.push(...validateVersions(spec, getObject(old ?? {}, "spec"), release));
  for (const name of ["plural", "singular", "kind", "listKind"]) {
    if (getString(names, name) === "") errors.push(required(child("spec.names", name)));
  }
  errors.push(...validateNames(names, "spec.names"));
  const versions = objects(spec, "versions");
  if (versions.length > 0) {
    const before = objects(getObject(old ?? {}, "spec"), "versions");
    const place = { schema: "spec.validation.openAPIV3Schema", parts: "spec", release };
    errors.push(...partErrors(versions[0]!, sharedParts(versions), before, place));
  }
  errors.push(...validateConversion(getObject(spec, "conversion")));
  errors.push(...validateStored(crd, spec));
  errors.push(...validateApproval(crd, old));
  if (getOwn(spec, "preserveUnknownFields") === true) {
    errors.push(
      invalidValue(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  }
  return errors;
}

/** Returns the errors of a conversion. They name the fields as the internal type of the real server does. */
function validateConversion(conversion: JsonObject): FieldError[] {
  const field = "spec.conversion";
  const strategy = getString(conversion, "strategy");
  const errors: FieldError[] = [];
  if (strategy === "") errors.push(required(child(field, "strategy")));
  else if (strategy !== "None" && strategy !== "Webhook") {
    errors.push(notSupported(child(field, "strategy"), strategy, ["None", "Webhook"]));
  }
  const webhook = getObject(conversion, "webhook");
  const config = getOwn(webhook, "clientConfig");
  const at = child(field, "webhookClientConfig");
  if (strategy === "Webhook") {
    errors.push(
      ...(isObject(config)
        ? validateClientConfig(config, at)
        : [required(at, "required when strategy is set to Webhook")]),
      ...validateReviewVersions(webhook, field, "conversionReviewVersions"),
    );
    return errors;
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (isObject(config)) errors.push(forbiddenField(at, detail));
  if (getArray(webhook, "conversionReviewVersions").length > 0) {
    errors.push(forbiddenField(child(field, "conversionReviewVersions"), detail));
  }
  return errors;
}

/** Returns the error of a CRD whose name does not consist of its plural name and its group. */
export function validateCrdName(crd: JsonObject): FieldError[] {
  const name = getString(crd, "metadata", "name");
  const wanted = `${getString(crd, "spec", "names", "plural")}.${getString(crd, "spec", "group")}`;
  if (name === "" || name === wanted) return [];
  return [invalidValue("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

/** The parts of a version that the internal type of the real server has in the spec, if all versions share them. */
const PARTS = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

type Part = (typeof PARTS)[number];

/** Returns the parts that are the same in all versions. Errors refer to them as to parts of the spec. */
function sharedParts(versions: readonly JsonObject[]): Part[] {
  const [first] = versions;
  if (first === undefined) return [];
  return PARTS.filter((part) =>
    versions.every((version) =>
      jsonEqual(getOwn(version, part) ?? null, getOwn(first, part) ?? null)
    )
  );
}

/**
 * Returns the errors of some parts of a version.
 *
 * @param before The versions that the CRD had before.
 * @param place The paths by which errors refer to the schema and to the other parts, and the release.
 */
function partErrors(
  version: JsonObject,
  parts: readonly Part[],
  before: readonly JsonObject[],
  place: { readonly schema: string; readonly parts: string; readonly release: Release },
): FieldError[] {
  const schema = getOwn(getObject(version, "schema"), "openAPIV3Schema");
  const errors: FieldError[] = [];
  if (isObject(schema) && parts.includes("schema")) {
    const known = before.find((one) => getString(one, "name") === getString(version, "name"));
    const isNew = known === undefined ||
      !jsonEqual(getOwn(getObject(known, "schema"), "openAPIV3Schema") ?? null, schema);
    errors.push(...validateSchema(schema, place.schema, { isNew, release: place.release }));
  }
  const others = parts.filter((part) => getOwn(version, part) !== undefined)
    .map((part) => [part, version[part]!] as const);
  return [
    ...errors,
    ...validateParts(Object.fromEntries(others), isObject(schema) ? schema : {}, place.parts),
  ];
}

const MAX_DEPRECATION_WARNING = 256;

function deprecationErrors(version: JsonObject, field: string): FieldError[] {
  const warning = getOwn(version, "deprecationWarning");
  if (typeof warning !== "string") return [];
  const refuse = (why: string) => invalidValue(child(field, "deprecationWarning"), warning, why);
  if (getOwn(version, "deprecated") !== true) {
    return [refuse("can only be set for deprecated versions")];
  }
  const errors: FieldError[] = [];
  if (byteLength(warning) > MAX_DEPRECATION_WARNING) {
    errors.push(refuse(`must be <= ${MAX_DEPRECATION_WARNING} characters long`));
  }
  if (warning === "") errors.push(refuse("must not be an empty string"));
  const odd = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (odd >= 0) {
    const at = `non-printable character found at index ${byteLength(warning.slice(0, odd))}`;
    errors.push(refuse(`must only contain printable UTF-8 characters; ${at}`));
  }
  return errors;
}

function validateVersions(spec: JsonObject, old: JsonObject, release: Release): FieldError[] {
  const versions = objects(spec, "versions");
  const before = objects(old, "versions");
  const shared = sharedParts(versions);
  const own = PARTS.filter((part) => !shared.includes(part));
  const names = new Set(versions.map((version) => getString(version, "name")));
  const errors = versions.flatMap((version, index) => {
    const field = item("spec.versions", index);
    return isObject(getOwn(getObject(version, "schema"), "openAPIV3Schema"))
      ? []
      : [required(`${field}.schema.openAPIV3Schema`)];
  });
  versions.forEach((version, index) => {
    const field = item("spec.versions", index);
    const name = getString(version, "name");
    errors.push(
      ...dns1035Label(name).map((text) => invalidValue(child(field, "name"), name, text)),
      ...deprecationErrors(version, field),
      ...partErrors(version, own, before, {
        schema: `${field}.schema.openAPIV3Schema`,
        parts: field,
        release,
      }),
    );
  });
  const shown = givenOf(spec, "versions");
  if (names.size < versions.length) {
    errors.push(invalidValue("spec.versions", shown, "must contain unique version names"));
  }
  const storage = versions.filter((version) => version["storage"] === true);
  if (storage.length !== 1) {
    errors.push(
      invalidValue(
        "spec.versions",
        shown,
        "must have exactly one version marked as storage version",
      ),
    );
  }
  // The real server also validates `spec.version`, an internal field that equals the name of the first version.
  const first = getString(versions[0] ?? {}, "name");
  if (first !== "") {
    errors.push(...dns1035Label(first).map((text) => invalidValue("spec.version", first, text)));
  }
  return errors;
}

function validateNames(names: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const label = (name: string, prefix = "") => {
    const value = getString(names, name);
    const wrong = dns1035Label(prefix === "" ? value : value.toLowerCase());
    if (value === "" || wrong.length === 0) return;
    errors.push(invalidValue(child(field, name), value, prefix + wrong.join(",")));
  };
  label("plural");
  label("singular");
  const mixed = "may have mixed case, but should otherwise match: ";
  label("kind", mixed);
  label("listKind", mixed);
  for (const list of ["shortNames", "categories"]) {
    if (list === "categories" && getString(names, "kind") !== "") {
      const kind = getString(names, "kind");
      if (kind === getString(names, "listKind")) {
        const reason = "kind and listKind may not be the same";
        errors.push(invalidValue(child(field, "listKind"), kind, reason));
      }
    }
    getArray(names, list).forEach((name, index) => {
      const wrong = dns1035Label(String(name));
      if (wrong.length === 0) return;
      errors.push(invalidValue(item(child(field, list), index), name, wrong.join(",")));
    });
  }
  return errors;
}

function validateStored(crd: JsonObject, spec: JsonObject): FieldError[] {
  const field = "status.storedVersions";
  const stored = getArray(crd, "status", "storedVersions");
  if (stored.length === 0) {
    return [invalidValue(field, null, "must have at least one stored version")];
  }
  const versions = objects(spec, "versions");
  const errors: FieldError[] = [];
  const left = new Set<Json>(stored);
  for (const version of versions) {
    const name = getString(version, "name");
    if (!left.delete(name) && version["storage"] === true) {
      errors.push(invalidValue(field, stored, `must have the storage version ${name}`));
    }
  }
  stored.forEach((name: Json, index) => {
    if (versions.some((version) => version["name"] === name)) return;
    errors.push(
      invalidValue(
        item(field, index),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    );
  });
  return errors;
}

/** Returns the validation errors of an update to a CRD. */
export function validateCrdUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const established = objects(old, "status", "conditions").some((condition) =>
    condition["type"] === "Established" && condition["status"] === "True"
  );
  const errors: FieldError[] = [];
  if (established) {
    errors.push(...immutable(next, old, "spec", "scope"));
    errors.push(...immutable(next, old, "spec", "names", "kind"));
  }
  errors.push(...immutable(next, old, "spec", "group"));
  errors.push(...immutable(next, old, "spec", "names", "plural"));
  return errors;
}
