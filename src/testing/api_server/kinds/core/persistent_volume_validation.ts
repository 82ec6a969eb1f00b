import {
  child,
  compareQuantities,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
} from "../../values/mod.ts";
import { internalDiff } from "../internal/internal_diff.ts";
import { validateNodeSelector } from "../validation/node_selector.ts";
import { driverErrors } from "../validation/driver_name.ts";
import { noBacksteps } from "../validation/local_path.ts";
import { hostPathErrors } from "../validation/volume_sources.ts";
import { validateAccessModes } from "./claim_spec.ts";

/** The fields of the spec that are no source of a volume. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

/** Returns the names of the sources that a PersistentVolume has, in the order of their fields. */
function sourcesOf(spec: JsonObject): string[] {
  return Object.keys(spec).filter((name) => !OTHER_FIELDS.has(name));
}

/** Returns the errors of a PersistentVolume, except those of its metadata. */
export function validateVolume(volume: JsonObject): FieldError[] {
  const spec = getObject(volume, "spec");
  const errors = validateAccessModes(getArray(spec, "accessModes").map(String), "spec.accessModes");
  errors.push(...validateCapacity(getObject(spec, "capacity")));
  const policy = getString(spec, "persistentVolumeReclaimPolicy");
  const policies = ["Delete", "Recycle", "Retain"];
  if (policy !== "" && !policies.includes(policy)) {
    errors.push(notSupported("spec.persistentVolumeReclaimPolicy", policy, policies));
  }
  errors.push(...validateAffinity(spec));
  const [first, ...others] = sourcesOf(spec);
  if (first !== undefined) errors.push(...validateSource(first, spec));
  for (const name of others) {
    const reason = "may not specify more than 1 volume type";
    errors.push(forbiddenField(child("spec", name), reason));
  }
  if (first === undefined) errors.push(required("spec", "must specify a volume type"));
  if (getString(spec, "hostPath", "path") === "/" && policy === "Recycle") {
    const reason = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField("spec.persistentVolumeReclaimPolicy", reason));
  }
  const name = getString(spec, "storageClassName");
  const at = "spec.storageClassName";
  if (name !== "") errors.push(...dnsSubdomain(name).map((text) => invalidValue(at, name, text)));
  const mode = getOwn(spec, "volumeMode");
  const modes = ["Block", "Filesystem"];
  if (typeof mode === "string" && !modes.includes(mode)) {
    errors.push(notSupported("spec.volumeMode", mode, modes));
  }
  const attributes = getOwn(spec, "volumeAttributesClassName");
  if (typeof attributes === "string" && getOwn(spec, "csi") === undefined) {
    const reason = "has to be specified when using volumeAttributesClassName";
    errors.push(required("spec.csi", reason));
  }
  return errors;
}

function validateCapacity(capacity: JsonObject): FieldError[] {
  const field = "spec.capacity";
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(field)] : [];
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(notSupported(field, capacity, ["storage"]));
  }
  for (const name of names) {
    const amount = getString(capacity, name);
    if (compareQuantities(amount, "0")! > 0) continue;
    const at = item(field, name);
    if (compareQuantities(amount, "0")! < 0) {
      const shown = Number(amount);
      errors.push(invalidValue(at, shown, "must be a valid resource quantity"));
    }
    errors.push(invalidValue(at, amount, "must be greater than zero"));
  }
  return errors;
}

function validateAffinity(spec: JsonObject): FieldError[] {
  const affinity = getOwn(spec, "nodeAffinity");
  const local = isObject(getOwn(spec, "local"));
  const field = "spec.nodeAffinity";
  if (!isObject(affinity)) {
    return local ? [required(field, "Local volume requires node affinity")] : [];
  }
  const wanted = getOwn(affinity, "required");
  const at = child(field, "required");
  if (!isObject(wanted)) return [required(at, "must specify required node constraints")];
  return validateNodeSelector(wanted, at);
}

function validateSource(name: string, spec: JsonObject): FieldError[] {
  const source = getObject(spec, name);
  const field = child("spec", name);
  const needs = (...fields: string[]) =>
    fields.flatMap((one) => getString(source, one) === "" ? [required(child(field, one))] : []);
  switch (name) {
    case "hostPath":
      return [...needs("path"), ...hostPathErrors(source, field)];
    case "local":
      return [...needs("path"), ...noBacksteps(getString(source, "path"), child(field, "path"))];
    case "nfs": {
      const path = getString(source, "path");
      const absolute = path === "" || path.startsWith("/")
        ? []
        : [invalidValue(child(field, "path"), path, "must be an absolute path")];
      return [...needs("server", "path"), ...absolute];
    }
    case "csi":
      return [
        ...driverErrors(getString(source, "driver"), child(field, "driver")),
        ...needs("volumeHandle"),
      ];
    case "gcePersistentDisk":
      return needs("pdName");
    case "awsElasticBlockStore":
    case "cinder":
      return needs("volumeID");
    case "iscsi":
      return needs("targetPortal", "iqn");
    case "glusterfs":
      return needs("endpoints", "path");
    case "azureFile":
      return needs("shareName");
    case "azureDisk":
      return needs("diskName", "diskURI");
    case "flexVolume":
      return needs("driver");
    case "quobyte":
      return needs("registry", "volume");
    default:
      return [];
  }
}

/** Returns the errors of an update of a PersistentVolume. */
export function validateVolumeUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [getObject(next, "spec"), getObject(old, "spec")];
  const sources = (one: JsonObject) =>
    Object.fromEntries(sourcesOf(one).map((name) => [name, one[name]!]));
  const errors: FieldError[] = [];
  if (!jsonEqual(sources(spec), sources(before))) {
    const reason = "spec.persistentvolumesource is immutable after creation";
    const diff = internalDiff(before, spec, "PersistentVolumeSource");
    errors.push(forbiddenField("spec.persistentvolumesource", `${reason}\n${diff}`));
  }
  const mode = getOwn(spec, "volumeMode");
  if (mode !== getOwn(before, "volumeMode")) {
    errors.push(invalidValue("volumeMode", mode, "field is immutable"));
  }
  const affinity = getOwn(spec, "nodeAffinity") ?? null;
  const had = getOwn(before, "nodeAffinity");
  if (had !== undefined && !jsonEqual(affinity, had)) {
    errors.push(invalidValue("nodeAffinity", affinity, "field is immutable"));
  }
  return errors;
}

/** Returns the warnings for a write of a PersistentVolume. */
export function volumeWarnings(volume: JsonObject): string[] {
  if (getString(volume, "spec", "persistentVolumeReclaimPolicy") !== "Recycle") return [];
  return [
    "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
    "Instead, the recommended approach is to use dynamic provisioning.",
  ];
}
