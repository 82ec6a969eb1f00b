import {
  child,
  dnsLabel,
  duplicate,
  type FieldError,
  forbiddenField,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";

/** The required field of a volume source, by type of the source. */
const NEEDED: Readonly<Record<string, string>> = {
  configMap: "name",
  secret: "secretName",
  persistentVolumeClaim: "claimName",
  hostPath: "path",
};

const NO_BACKSTEPS = "must not contain '..'";
const FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";
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

/** Returns the validation errors of the volumes of a Pod. */
export function validateVolumes(volumes: readonly JsonObject[], field: string): FieldError[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const sources = Object.keys(volume).filter((key) => key !== "name" && isObject(volume[key]));
    sources.slice(1).forEach((source) =>
      errors.push(forbiddenField(child(at, source), "may not specify more than 1 volume type"))
    );
    const source = sources[0];
    const needed = source === undefined || !Object.hasOwn(NEEDED, source)
      ? undefined
      : NEEDED[source]!;
    if (source !== undefined && needed !== undefined) {
      const own = getOwn(volume, source);
      if (isObject(own)) errors.push(...validateSource(own, child(at, source), needed));
    }
    const name = getString(volume, "name");
    if (name === "") errors.push(required(child(at, "name")));
    else {
      const wrong = dnsLabel(name);
      errors.push(...wrong.map((text) => invalidValue(child(at, "name"), name, text)));
      if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
      if (wrong.length === 0) names.add(name);
    }
    return errors;
  });
}

function validateSource(source: JsonObject, field: string, needed: string): FieldError[] {
  const errors = getString(source, needed) === "" ? [required(child(field, needed))] : [];
  if (needed === "path" && errors.length === 0) errors.push(...hostPathErrors(source, field));
  const mode = getOwn(source, "defaultMode");
  if (typeof mode === "number" && (mode > 0o777 || mode < 0)) {
    errors.push(invalidValue(child(field, "defaultMode"), mode, FILE_MODE));
  }
  objects(source, "items").forEach((entry, index) => {
    const at = item(child(field, "items"), index);
    const path = getString(entry, "path");
    if (getString(entry, "key") === "") errors.push(required(child(at, "key")));
    if (path === "") errors.push(required(child(at, "path")));
    errors.push(...descendingPath(path, child(at, "path")));
  });
  return errors;
}

/** Returns the errors of a source whose `path` has `..` in it. */
export function backsteps(source: JsonObject, field: string): FieldError[] {
  const path = getString(source, "path");
  if (!path.split("/").includes("..")) return [];
  return [invalidValue(child(field, "path"), path, NO_BACKSTEPS)];
}

/** Returns the errors of a path of the node and of its type. */
export function hostPathErrors(source: JsonObject, field: string): FieldError[] {
  const type = getString(source, "type");
  const errors = backsteps(source, field);
  if (!HOST_PATH_TYPES.includes(type)) {
    errors.push(notSupported(child(field, "type"), type, HOST_PATH_TYPES));
  }
  return errors;
}

/** Returns the errors of a path that must be relative and must not contain `..`. */
export function descendingPath(path: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (path.startsWith("/")) errors.push(invalidValue(field, path, "must be a relative path"));
  if (path.split("/").includes("..")) errors.push(invalidValue(field, path, NO_BACKSTEPS));
  return errors;
}
