import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getOwn,
  getString,
  invalidValue,
  item,
  type Json,
  type JsonObject,
  notFoundField,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { type ContainerContext, validateContainer } from "./container.ts";

/** The fields that only a container which is part of the workload may have, in the order of the Go type. */
const FORBIDDEN = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

const CANNOT = "cannot be set for an Ephemeral Container";

/** Returns the validation errors of the ephemeral containers of a Pod. */
export function validateEphemeralContainers(
  field: string,
  context: ContainerContext,
): FieldError[] {
  const { spec } = context;
  const others = new Set(
    ["containers", "initContainers"].flatMap((list) =>
      objects(spec, list).map((one) => getString(one, "name"))
    ),
  );
  const names = new Set(others);
  return objects(spec, "ephemeralContainers").flatMap((container, index) => {
    const at = item(child(field, "ephemeralContainers"), index);
    const errors = validateContainer(container, at, context);
    const image = getString(container, "image");
    if (image !== image.trim()) {
      const text = "must not have leading or trailing whitespace";
      errors.push(invalidValue(child(at, "image"), image, text));
    }
    const name = getString(container, "name");
    if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
    names.add(name);
    const target = getString(container, "targetContainerName");
    if (target !== "" && !others.has(target)) {
      errors.push(notFoundField(child(at, "targetContainerName"), target));
    }
    return [...errors, ...forbiddenFields(container, at)];
  });
}

function forbiddenFields(container: JsonObject, at: string): FieldError[] {
  const set = FORBIDDEN.filter((name) => isSet(name, getOwn(container, name)));
  return [
    ...set.map((name) => forbiddenField(child(at, name), CANNOT)),
    ...objects(container, "volumeMounts").flatMap((mount, index) =>
      ["subPath", "subPathExpr"].filter((name) => getString(mount, name) !== "").map((name) =>
        forbiddenField(child(item(child(at, "volumeMounts"), index), name), CANNOT)
      )
    ),
  ];
}

/**
 * Whether a field differs from the zero value of its type: a list or a pointer, but for the requirements of resources.
 */
function isSet(name: string, value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  const counts = Array.isArray(value) || name === "resources";
  return !counts || Object.keys(value).length > 0;
}
