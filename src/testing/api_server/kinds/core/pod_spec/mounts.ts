import {
  child,
  type FieldError,
  forbiddenField,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notFoundField,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { descendingPath, noBacksteps, objects } from "../../shared/mod.ts";

/** Returns the errors of the volume mounts and devices of a container. `volumes` are the valid volumes by name. */
export function validateMounts(
  container: JsonObject,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): FieldError[] {
  return [
    ...validateVolumeMounts(container, child(field, "volumeMounts"), volumes),
    ...validateDevices(container, child(field, "volumeDevices"), volumes),
  ];
}

function validateVolumeMounts(
  container: JsonObject,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): FieldError[] {
  const devices = placesOf(container, "volumeDevices", "devicePath");
  const paths = new Set<string>();
  return objects(container, "volumeMounts").flatMap((mount, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const refuse = (key: string, value: string, text: string) =>
      errors.push(invalidValue(child(at, key), value, text));
    const name = getString(mount, "name");
    if (name === "") errors.push(required(child(at, "name")));
    if (!volumes.has(name)) errors.push(notFoundField(child(at, "name"), name));
    const path = getString(mount, "mountPath");
    if (path === "") errors.push(required(child(at, "mountPath")));
    if (paths.has(path)) refuse("mountPath", path, "must be unique");
    paths.add(path);
    if (devices.has(name)) refuse("name", name, "must not already exist in volumeDevices");
    if ([...devices.values()].includes(path)) {
      refuse("mountPath", path, "must not already exist as a path in volumeDevices");
    }
    const subPath = getString(mount, "subPath");
    if (subPath !== "") errors.push(...descendingPath(subPath, child(field, "subPath")));
    const expression = getString(mount, "subPathExpr");
    if (expression !== "") {
      if (subPath !== "") {
        refuse("subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
      }
      errors.push(...descendingPath(expression, child(field, "subPathExpr")));
    }
    return [
      ...errors,
      ...validatePropagation(mount, container, child(field, "mountPropagation")),
      ...validateRecursive(mount, child(field, "recursiveReadOnly")),
    ];
  });
}

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"];

function validatePropagation(
  mount: JsonObject,
  container: JsonObject,
  field: string,
): FieldError[] {
  const mode = getOwn(mount, "mountPropagation");
  if (typeof mode !== "string") return [];
  if (!PROPAGATIONS.includes(mode)) return [notSupported(field, mode, PROPAGATIONS)];
  const isPrivileged = getPath(container, "securityContext", "privileged") === true;
  if (mode !== "Bidirectional" || isPrivileged) return [];
  const text = "Bidirectional mount propagation is available only to privileged containers";
  return [forbiddenField(field, text)];
}

function validateRecursive(mount: JsonObject, field: string): FieldError[] {
  const mode = getOwn(mount, "recursiveReadOnly");
  if (typeof mode !== "string" || mode === "Disabled") return [];
  if (mode !== "Enabled" && mode !== "IfPossible") {
    return [notSupported(field, mode, ["Disabled", "Enabled", "IfPossible"])];
  }
  const errors: FieldError[] = [];
  if (getOwn(mount, "readOnly") !== true) {
    errors.push(forbiddenField(field, "may only be specified when readOnly is true"));
  }
  const propagation = getOwn(mount, "mountPropagation") ?? "None";
  if (propagation !== "None") {
    const text = "may only be specified when mountPropagation is None or not specified";
    errors.push(forbiddenField(field, text));
  }
  return errors;
}

/** Returns the paths of mounts or devices by the name of their volume. */
function placesOf(container: JsonObject, list: string, path: string): Map<string, string> {
  return new Map(
    objects(container, list).map((one) => [getString(one, "name"), getString(one, path)]),
  );
}

function validateDevices(
  container: JsonObject,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): FieldError[] {
  const mounts = placesOf(container, "volumeMounts", "mountPath");
  const names = new Set<string>();
  const paths = new Set<string>();
  return objects(container, "volumeDevices").flatMap((device, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const name = getString(device, "name");
    const path = getString(device, "devicePath");
    const volume = volumes.get(name);
    const refuse = (key: string, value: string, text: string) =>
      errors.push(invalidValue(child(at, key), value, text));
    if (name === "") errors.push(required(child(at, "name")));
    if (names.has(name)) refuse("name", name, "must be unique");
    if (volume === undefined) errors.push(notFoundField(child(at, "name"), name));
    else if (
      !isObject(getOwn(volume, "persistentVolumeClaim")) && !isObject(getOwn(volume, "ephemeral"))
    ) {
      const text =
        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      refuse("name", name, text);
    }
    if (path === "") errors.push(required(child(at, "devicePath")));
    if (paths.has(path)) refuse("devicePath", path, "must be unique");
    if (noBacksteps(path, at).length > 0) {
      refuse("devicePath", path, "can not contain backsteps ('..')");
    } else paths.add(path);
    if (mounts.has(name)) refuse("name", name, "must not already exist in volumeMounts");
    if ([...mounts.values()].includes(path)) {
      refuse("devicePath", path, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
    return errors;
  });
}
