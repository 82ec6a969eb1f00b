import {
  child,
  dnsLabel,
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
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { validateClaimSpec } from "./claim_spec.ts";
import {
  descendingPath,
  driverErrors,
  noBacksteps,
  pullPolicyErrors,
  validateAnnotations,
  validateLabels,
} from "../../shared/mod.ts";
import { validateDownwardApi, validateItems, validateProjected } from "./projected_volume.ts";

/** The sources of volumes, in the order in which they are looked at. */
export const VOLUME_SOURCES: readonly string[] = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** The required fields of sources without further rules. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  secret: ["secretName"],
  configMap: ["name"],
  nfs: ["server", "path"],
  glusterfs: ["endpoints", "path"],
  persistentVolumeClaim: ["claimName"],
  cinder: ["volumeID"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  scaleIO: ["gateway", "system", "volumeName"],
  gitRepo: ["repository"],
  flexVolume: ["driver"],
  azureDisk: ["diskName", "diskURI"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
};

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Returns the errors of a source of a volume. `isPod` tells a Pod from a Pod template. */
export function validateVolumeSource(
  kind: string,
  source: JsonObject,
  field: string,
  isPod: boolean,
): FieldError[] {
  // The errors of this source have a name from before it was one of several disks.
  const at = kind === "gcePersistentDisk"
    ? field.replace(/gcePersistentDisk$/, "persistentDisk")
    : field;
  const missing = (NEEDED[kind] ?? []).filter((name) => getString(source, name) === "");
  const errors = missing.map((name) => required(child(at, name)));
  const rule = RULES[kind];
  return rule === undefined ? errors : [...errors, ...rule(source, at, isPod)];
}

type Rule = (source: JsonObject, field: string, isPod: boolean) => FieldError[];

const RULES: Readonly<Record<string, Rule>> = {
  hostPath: (source, field) => {
    if (getString(source, "path") === "") return [required(child(field, "path"))];
    return hostPathErrors(source, field);
  },
  gitRepo: (source, field) =>
    descendingPath(getString(source, "directory"), child(field, "directory")),
  gcePersistentDisk: validatePartition,
  awsElasticBlockStore: validatePartition,
  secret: validateItems,
  configMap: validateItems,
  nfs: (source, field) => {
    const path = getString(source, "path");
    if (path.startsWith("/")) return [];
    return [invalidValue(child(field, "path"), path, "must be an absolute path")];
  },
  iscsi: validateIscsi,
  flocker: validateFlocker,
  rbd: (source, field) => [
    ...validateMonitors(source, field),
    ...(getString(source, "image") === "" ? [required(child(field, "image"))] : []),
  ],
  cinder: validateSecretName,
  cephfs: validateMonitors,
  quobyte: validateQuobyte,
  downwardAPI: validateDownwardApi,
  fc: validateFc,
  flexVolume: (source, field) =>
    Object.keys(getObject(source, "options")).flatMap((key) => {
      const domain = `.${key.split("/", 2).length === 2 ? key.split("/")[0] : key}`.toLowerCase();
      if (!domain.endsWith(".kubernetes.io") && !domain.endsWith(".k8s.io")) return [];
      const at = item(child(field, "options"), key);
      return [invalidValue(at, key, "kubernetes.io and k8s.io namespaces are reserved")];
    }),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  projected: validateProjected,
  csi: validateCsi,
  ephemeral: validateEphemeral,
  image: (source, field, isPod) => [
    ...(isPod && getString(source, "reference") === ""
      ? [required(child(field, "reference"))]
      : []),
    ...pullPolicyErrors(source, field, "pullPolicy"),
  ],
};

/** Returns the errors of a path of the node and of its type. */
export function hostPathErrors(source: JsonObject, field: string): FieldError[] {
  const type = getString(source, "type");
  const errors = noBacksteps(getString(source, "path"), child(field, "path"));
  if (!HOST_PATH_TYPES.includes(type)) {
    errors.push(notSupported(child(field, "type"), type, HOST_PATH_TYPES));
  }
  return errors;
}

function validatePartition(source: JsonObject, field: string): FieldError[] {
  const partition = Number(getOwn(source, "partition") ?? 0);
  if (partition >= 0 && partition <= 255) return [];
  return [
    invalidValue(child(field, "partition"), partition, "must be between 1 and 255, inclusive"),
  ];
}

function byteErrors(value: number, field: string): FieldError[] {
  if (value >= 0 && value <= 255) return [];
  return [invalidValue(field, value, "must be between 0 and 255, inclusive")];
}

function validateMonitors(source: JsonObject, field: string): FieldError[] {
  return getArray(source, "monitors").length === 0 ? [required(child(field, "monitors"))] : [];
}

function validateSecretName(source: JsonObject, field: string): FieldError[] {
  const secret = getOwn(source, "secretRef");
  if (!isObject(secret) || getString(secret, "name") !== "") return [];
  return [required(child(field, "secretRef.name"))];
}

const IQN = /^iqn\.\d{4}-\d{2}\.([0-9a-z.-]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui\.[0-9a-f]{16}$/i;
const NAA = /^naa\.[0-9a-f]{32}$/i;

function validateIscsi(source: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (getString(source, "targetPortal") === "") errors.push(required(child(field, "targetPortal")));
  const name = getString(source, "iqn");
  if (name === "") errors.push(required(child(field, "iqn")));
  else errors.push(...iscsiNameErrors(name, child(field, "iqn")));
  errors.push(...byteErrors(Number(getOwn(source, "lun") ?? 0), child(field, "lun")));
  const secret = isObject(getOwn(source, "secretRef"));
  const chap = source["chapAuthDiscovery"] === true || source["chapAuthSession"] === true;
  if (chap && !secret) errors.push(required(child(field, "secretRef")));
  const initiator = getOwn(source, "initiatorName");
  if (typeof initiator === "string") {
    errors.push(...iscsiNameErrors(initiator, child(field, "initiatorname")));
  }
  return errors;
}

function iscsiNameErrors(name: string, field: string): FieldError[] {
  const formats = { iqn: IQN, eui: EUI, naa: NAA };
  const format = Object.entries(formats).find(([prefix]) => name.startsWith(prefix))?.[1];
  if (format === undefined) {
    return [invalidValue(field, name, "must be valid format starting with iqn, eui, or naa")];
  }
  return format.test(name) ? [] : [invalidValue(field, name, "must be valid format")];
}

function validateFlocker(source: JsonObject, field: string): FieldError[] {
  const name = getString(source, "datasetName");
  const uuid = getString(source, "datasetUUID");
  const errors: FieldError[] = [];
  if (name === "" && uuid === "") {
    errors.push(required(field, "one of datasetName and datasetUUID is required"));
  } else if (name !== "" && uuid !== "") {
    const text = "datasetName and datasetUUID can not be specified simultaneously";
    errors.push(invalidValue(field, "resource", text));
  }
  if (name.includes("/")) {
    errors.push(invalidValue(child(field, "datasetName"), name, "must not contain '/'"));
  }
  return errors;
}

function validateQuobyte(source: JsonObject, field: string): FieldError[] {
  const registry = getString(source, "registry");
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  const errors: FieldError[] = [];
  if (registry === "") errors.push(required(child(field, "registry"), pairs));
  else if (getString(source, "tenant").length >= 65) {
    const text = "must be a UUID and may not exceed a length of 64 characters";
    errors.push(required(child(field, "tenant"), text));
  } else {
    for (const pair of registry.split(",")) {
      if (/^(?:[^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair)) continue;
      errors.push(invalidValue(child(field, "registry"), registry, pairs));
    }
  }
  if (getString(source, "volume") === "") errors.push(required(child(field, "volume")));
  return errors;
}

function validateFc(source: JsonObject, field: string): FieldError[] {
  const names = getArray(source, "targetWWNs");
  const ids = getArray(source, "wwids");
  const at = child(field, "targetWWNs");
  const errors: FieldError[] = [];
  if (names.length === 0 && ids.length === 0) {
    errors.push(required(at, "must specify either targetWWNs or wwids, but not both"));
  }
  if (names.length === 0) return errors;
  if (ids.length > 0) {
    const text = "targetWWNs and wwids can not be specified simultaneously";
    errors.push(invalidValue(at, [...names], text));
  }
  const lun = getOwn(source, "lun");
  if (typeof lun !== "number") {
    errors.push(required(child(field, "lun"), "lun is required if targetWWNs is specified"));
  } else errors.push(...byteErrors(lun, child(field, "lun")));
  return errors;
}

function validateAzureDisk(source: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const choices = {
    cachingMode: ["None", "ReadOnly", "ReadWrite"],
    kind: ["Dedicated", "Managed", "Shared"],
  };
  for (const [name, known] of Object.entries(choices)) {
    const value = getOwn(source, name);
    if (typeof value !== "string" || known.includes(value)) continue;
    errors.push(notSupported(child(field, name), value, known));
  }
  const kind = getOwn(source, "kind");
  const [prefix, example] = kind === "Managed"
    ? [
      "/subscriptions/",
      "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
    ] as const
    : [
      "https://",
      "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
    ] as const;
  const uri = getString(source, "diskURI");
  if (typeof kind === "string" && !uri.startsWith(prefix)) {
    errors.push(notSupported(child(field, "diskURI"), uri, [example]));
  }
  return errors;
}

function validateStorageOs(source: JsonObject, field: string): FieldError[] {
  const name = getString(source, "volumeName");
  const errors = name === "" ? [required(child(field, "volumeName"))] : [];
  for (const key of ["volumeName", "volumeNamespace"]) {
    const value = getString(source, key);
    if (value === "") continue;
    errors.push(...dnsLabel(value).map((text) => invalidValue(child(field, key), value, text)));
  }
  return [...errors, ...validateSecretName(source, field)];
}

function validateCsi(source: JsonObject, field: string): FieldError[] {
  const errors = driverErrors(getString(source, "driver"), child(field, "driver"));
  const secret = getOwn(source, "nodePublishSecretRef");
  if (!isObject(secret)) return errors;
  const name = getString(secret, "name");
  if (name === "") return [...errors, required(child(field, "nodePublishSecretRef.name"))];
  const wrong = dnsSubdomain(name);
  return [...errors, ...wrong.map((text) => invalidValue(child(field, "name"), name, text))];
}

function validateEphemeral(source: JsonObject, field: string): FieldError[] {
  const template = getOwn(source, "volumeClaimTemplate");
  const at = child(field, "volumeClaimTemplate");
  if (!isObject(template)) return [required(at)];
  const metadata = getObject(template, "metadata");
  const where = child(at, "metadata");
  const others = Object.keys(metadata).filter((name) =>
    name !== "annotations" && name !== "labels" && getOwn(metadata, name) !== null
  );
  return [
    ...validateAnnotations(metadata, child(where, "annotations")),
    ...validateLabels(getObject(metadata, "labels"), child(where, "labels")),
    ...others.map((name) => forbiddenField(child(where, name), "cannot be set")),
    ...validateClaimSpec(getObject(template, "spec"), child(at, "spec")),
  ];
}
