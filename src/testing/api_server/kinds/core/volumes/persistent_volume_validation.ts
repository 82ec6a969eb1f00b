import {
  child,
  compareQuantities,
  dnsLabel,
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
  wholeAmount,
} from "../../../../values/mod.ts";
import {
  driverErrors,
  immutable,
  noBacksteps,
  nodeTermWarnings,
  objects,
  oldKeyWarnings,
  validateNodeSelector,
} from "../../shared/mod.ts";
import { oldSourceWarnings, validateAccessModes, validateVolumeSource } from "../pod_spec/mod.ts";

/** The sources of a PersistentVolume, in the order in which they are looked at. */
const SOURCE_ORDER: readonly string[] = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];

/** Returns the names of the sources that a PersistentVolume has, in the order in which they are looked at. */
function sourcesOf(spec: JsonObject): string[] {
  return SOURCE_ORDER.filter((name) => isObject(getOwn(spec, name)));
}

/** Returns the errors of a PersistentVolume apart from its metadata. */
export function validateVolume(volume: JsonObject): FieldError[] {
  const spec = getObject(volume, "spec");
  const annotations = getObject(volume, "metadata", "annotations");
  const errors = validateVolumeSpec(spec, "spec");
  const unmounted = getOwn(annotations, MOUNT_OPTIONS) !== undefined &&
    !sourcesOf(spec).some((name) => MOUNTED.includes(name));
  if (!unmounted) return errors;
  const reason = "may not specify mount options for this volume type";
  return [...errors, forbiddenField(child("metadata.annotations", MOUNT_OPTIONS), reason)];
}

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

/** The sources of volumes that are mounted with options. */
const MOUNTED: readonly string[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

/** Returns the errors of the spec of a PersistentVolume. */
function validateVolumeSpec(
  spec: JsonObject,
  field: string,
): FieldError[] {
  const at = (name: string) => child(field, name);
  const policy = getString(spec, "persistentVolumeReclaimPolicy");
  const errors: FieldError[] = [];
  errors.push(
    ...validateAccessModes(getArray(spec, "accessModes").map(String), at("accessModes")),
  );
  errors.push(...validateCapacity(givenOf(spec, "capacity"), at("capacity")));
  if (policy !== "") errors.push(...validatePolicy(policy, field));
  errors.push(...validateAffinity(spec, field), ...validateSources(spec, field));
  if (getString(spec, "hostPath", "path") === "/" && policy === "Recycle") {
    const reason = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField(at("persistentVolumeReclaimPolicy"), reason));
  }
  const name = getString(spec, "storageClassName");
  if (name !== "") errors.push(...subdomain(name, at("storageClassName")));
  const mode = getOwn(spec, "volumeMode");
  const modes = ["Block", "Filesystem"];
  if (typeof mode === "string" && !modes.includes(mode)) {
    errors.push(notSupported(at("volumeMode"), mode, modes));
  }
  return [...errors, ...validateAttributesClass(spec, field)];
}

function subdomain(name: string, field: string): FieldError[] {
  return dnsSubdomain(name).map((text) => invalidValue(field, name, text));
}

function validatePolicy(policy: string, field: string): FieldError[] {
  const at = child(field, "persistentVolumeReclaimPolicy");
  const policies = ["Delete", "Recycle", "Retain"];
  return policies.includes(policy) ? [] : [notSupported(at, policy, policies)];
}

/** Returns the errors of the first source, and an error for each other one. */
function validateSources(spec: JsonObject, field: string): FieldError[] {
  const [first, ...others] = sourcesOf(spec);
  if (first === undefined) return [required(field, "must specify a volume type")];
  return [
    ...validateSource(first, spec, field),
    // The real server does not count this one.
    ...others.flatMap((name) =>
      name === "flexVolume"
        ? validateSource(name, spec, field)
        : [forbiddenField(child(field, name === "cephfs" ? "cephFS" : name), MORE_SOURCES)]
    ),
  ];
}

const MORE_SOURCES = "may not specify more than 1 volume type";

function validateAttributesClass(spec: JsonObject, field: string): FieldError[] {
  const name = getOwn(spec, "volumeAttributesClassName");
  if (typeof name !== "string") return [];
  const at = child(field, "volumeAttributesClassName");
  const errors = name === ""
    ? [required(at, "an empty string is disallowed")]
    : subdomain(name, at);
  if (getOwn(spec, "csi") !== undefined) return errors;
  const reason = "has to be specified when using volumeAttributesClassName";
  return [...errors, required(child(field, "csi"), reason)];
}

function validateCapacity(given: Json, field: string): FieldError[] {
  const capacity = getObject(given);
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(field)] : [];
  if (names.length !== 1 || names[0] !== "storage") {
    errors.push(notSupported(field, given, ["storage"]));
  }
  for (const name of names) {
    const amount = getString(capacity, name);
    if (compareQuantities(amount, "0")! > 0) continue;
    const at = item(field, name);
    if (compareQuantities(amount, "0")! < 0) {
      errors.push(invalidValue(at, wholeAmount(amount), "must be a valid resource quantity"));
    }
    errors.push(invalidValue(at, amount, "must be greater than zero"));
  }
  return errors;
}

function validateAffinity(spec: JsonObject, field: string): FieldError[] {
  const affinity = getOwn(spec, "nodeAffinity");
  if (!isObject(affinity)) return [];
  const at = child(field, "nodeAffinity");
  const wanted = getOwn(affinity, "required");
  const where = child(at, "required");
  if (!isObject(wanted)) return [required(where, "must specify required node constraints")];
  return validateNodeSelector(wanted, where);
}

function validateSource(name: string, spec: JsonObject, parent: string): FieldError[] {
  const source = getObject(spec, name);
  const field = child(parent, name);
  const needs = (...fields: string[]) =>
    fields.flatMap((one) => getString(source, one) === "" ? [required(child(field, one))] : []);
  switch (name) {
    case "local":
      return [
        ...needs("path"),
        ...noBacksteps(getString(source, "path"), child(field, "path")),
        ...(isObject(getOwn(spec, "nodeAffinity")) ? [] : [
          required(child(parent, "nodeAffinity"), "Local volume requires node affinity"),
        ]),
      ];
    case "csi":
      return [
        ...driverErrors(getString(source, "driver"), child(field, "driver")),
        ...needs("volumeHandle"),
        ...CSI_SECRETS.flatMap((one) => validateSecret(source, one, field)),
      ];
    case "glusterfs": {
      const namespace = getOwn(source, "endpointsNamespace");
      const errors = validateVolumeSource(name, source, field, false);
      if (typeof namespace !== "string") return errors;
      const at = child(field, "endpointsNamespace");
      const reasons = namespace === ""
        ? ["if the endpointnamespace is set, it must be a valid namespace name"]
        : dnsLabel(namespace);
      const wrong = reasons.map((text) => invalidValue(at, namespace, text));
      return [...errors, ...wrong];
    }
    case "iscsi":
      // Of a wrong name, the error says less than that of a volume of a Pod.
      return validateVolumeSource(name, source, field, false).map((error) => ({
        ...error,
        message: error.message.replace(" starting with iqn, eui, or naa", ""),
      }));
    case "cinder":
      return [...needs("volumeID"), ...validateSecret(source, "secretRef", field)];
    case "storageos": {
      const secret = getOwn(source, "secretRef");
      const errors = validateVolumeSource(name, source, field, false);
      if (!isObject(secret) || getString(secret, "namespace") !== "") return errors;
      return [...errors, required(child(field, "secretRef.namespace"))];
    }
    case "azureFile": {
      const isEmpty = getOwn(source, "secretNamespace") === "";
      return [...needs("secretName", "shareName", ...(isEmpty ? ["secretNamespace"] : []))];
    }
    default:
      return validateVolumeSource(name, source, field, false);
  }
}

/** The references to Secrets that are validated. */
const CSI_SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function validateSecret(source: JsonObject, name: string, parent: string): FieldError[] {
  const reference = getOwn(source, name);
  if (!isObject(reference)) return [];
  const rules = { name: dnsSubdomain, namespace: dnsLabel };
  return Object.entries(rules).flatMap(([part, rule]) => {
    const at = child(child(parent, name), part);
    const value = getString(reference, part);
    if (value === "") return [required(at)];
    return rule(value).map((text) => invalidValue(at, value, text));
  });
}

/** Returns the errors of an update of a PersistentVolume. */
export function validateVolumeUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [getObject(next, "spec"), getObject(old, "spec")];
  const sources = (one: JsonObject) =>
    Object.fromEntries(sourcesOf(one).map((name) => [name, one[name]!]));
  const errors: FieldError[] = [];
  if (!jsonEqual(sources(spec), sources(before))) {
    const reason = "spec.persistentvolumesource is immutable after creation";
    errors.push(forbiddenField("spec.persistentvolumesource", reason));
  }
  const mode = getOwn(spec, "volumeMode");
  if (mode !== getOwn(before, "volumeMode")) {
    errors.push(invalidValue("volumeMode", mode, "field is immutable"));
  }
  if (getOwn(before, "nodeAffinity") !== undefined) {
    const fixed = immutable(spec, before, "nodeAffinity");
    errors.push(...fixed.map(({ field, ...error }) => ({
      ...error,
      field,
      message: `${error.message}, except for updating from beta label to GA`,
    })));
  }
  return errors;
}

/** Returns the warnings for a write of a PersistentVolume. */
export function volumeWarnings(volume: JsonObject): string[] {
  const spec = getObject(volume, "spec");
  const annotations = getObject(volume, "metadata", "annotations");
  const terms = objects(spec, "nodeAffinity", "required", "nodeSelectorTerms");
  return [
    ...oldKeyWarnings(annotations, (key) => item("metadata.annotations", key), OLD_ANNOTATIONS),
    ...(getString(spec, "persistentVolumeReclaimPolicy") === "Recycle" ? [RECYCLED] : []),
    ...terms.flatMap((term, index) =>
      nodeTermWarnings(term, item("spec.nodeAffinity.required.nodeSelectorTerms", index))
    ),
    ...oldSourceWarnings(spec, "spec", ["flocker", "quobyte"]),
  ];
}

const OLD_ANNOTATIONS = {
  "volume.beta.kubernetes.io/storage-class":
    'deprecated since v1.8; use "storageClassName" attribute instead',
  [MOUNT_OPTIONS]: 'deprecated since v1.31; use "mountOptions" attribute instead',
};

const RECYCLED = "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
  "Instead, the recommended approach is to use dynamic provisioning.";
