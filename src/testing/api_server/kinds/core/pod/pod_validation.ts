import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import { objects } from "../../shared/mod.ts";
import { validatePodAnnotations, validatePodSpec, validateProfiles } from "../pod_spec/mod.ts";

/** Returns the errors of a Pod that creates and updates check, apart from its metadata. */
export function validatePod(pod: JsonObject, release: Release): FieldError[] {
  const metadata = getObject(pod, "metadata");
  const spec = getObject(pod, "spec");
  const owner = { podName: getString(metadata, "name"), isPod: true };
  return [
    ...validatePodAnnotations(metadata, spec, "metadata.annotations"),
    ...validatePodSpec(spec, "spec", release, owner),
    ...validateTokens(spec),
    ...validateImageSpaces(spec),
  ];
}

/** Returns the errors of a new Pod that updates do not check. */
export function validateNewPod(pod: JsonObject): FieldError[] {
  const spec = getObject(pod, "spec");
  const errors: FieldError[] = [];
  if (getArray(spec, "ephemeralContainers").length > 0) {
    errors.push(forbiddenField("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (getString(spec, "nodeName") !== "" && getArray(spec, "schedulingGates").length > 0) {
    const text = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbiddenField("spec.nodeName", text));
  }
  errors.push(...validateProfiles(getObject(pod, "metadata"), spec, "spec"));
  return errors;
}

/** Returns an error for each volume with a token of a ServiceAccount that the Pod does not have. */
function validateTokens(spec: JsonObject): FieldError[] {
  if (getString(spec, "serviceAccountName") !== "") return [];
  return objects(spec, "volumes").flatMap((volume, index) =>
    objects(volume, "projected", "sources").flatMap((source, position) => {
      if (!isObject(source["serviceAccountToken"])) return [];
      const at = item(child(item("spec.volumes", index), "projected.sources"), position);
      const text = "must not be specified when serviceAccountName is not set";
      return [forbiddenField(child(at, "serviceAccountToken"), text)];
    })
  );
}

/** Returns an error for each image with surrounding whitespace. Only Pods are checked for these, not Pod templates. */
function validateImageSpaces(spec: JsonObject): FieldError[] {
  return ["initContainers", "containers"].flatMap((list) =>
    objects(spec, list).flatMap((container, index) => {
      const image = getString(container, "image");
      if (image === "" || image === image.trim()) return [];
      const field = child(item(child("spec", list), index), "image");
      return [invalidValue(field, image, "must not have leading or trailing whitespace")];
    })
  );
}
