import {
  child,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  required,
} from "../../values/mod.ts";
import { validateVolumeSpec } from "../core/persistent_volume_validation.ts";
import { driverErrors } from "../validation/driver_name.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { immutableObject } from "../validation/object_meta.ts";

/** VolumeAttachments. */
export const VOLUME_ATTACHMENT: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "volumeattachments",
  "VolumeAttachment",
  {
    namespaced: false,
    subresources: [STATUS],
    statusKeeps: ["*"],
    allowUnconditionalUpdate: false,
    names: "subdomain",
    validatesMetaChange: false,
    validate: validateAttachment,
    wholeFirst: true,
    validateChange: (next, old) => immutableObject(next, old, "VolumeAttachmentSpec", "spec"),
    returnsDeleted: true,
    table: {
      columns: [
        NAME,
        {
          ...column("Attacher"),
          format: "name",
        },
        column("PV"),
        column("Node"),
        column("Attached", "", 0, "boolean"),
        AGE,
      ],
      row: named((one) => [
        getString(one, "spec", "attacher"),
        getString(one, "spec", "source", "persistentVolumeName"),
        getString(one, "spec", "nodeName"),
        getPath(one, "status", "attached") === true,
      ]),
    },
  },
);

function validateAttachment(one: JsonObject): FieldError[] {
  const spec = getObject(one, "spec");
  const attacher = getString(spec, "attacher");
  const node = getString(spec, "nodeName");
  const source = getObject(spec, "source");
  const volume = getOwn(source, "persistentVolumeName");
  const inline = getOwn(source, "inlineVolumeSpec");
  const field = "spec.source";
  const at = child(field, "persistentVolumeName");
  const only = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const errors = attacher === "" ? [required("spec.attacher")] : [];
  if (!isObject(inline) && volume === undefined) errors.push(required(field, only));
  if (isObject(inline)) {
    if (volume !== undefined) errors.push(forbiddenField(field, only));
    else errors.push(...validateVolumeSpec(inline, child(field, "inlineVolumeSpec"), true));
  } else if (volume === "") {
    errors.push(required(at, "must specify non empty persistentVolumeName"));
  }
  errors.push(...dnsSubdomain(node).map((text) => invalidValue("spec.nodeName", node, text)));
  errors.push(...driverErrors(attacher, "spec.attacher"));
  if (inline || typeof volume !== "string") return errors;
  return [...errors, ...dnsSubdomain(volume).map((text) => invalidValue(at, volume, text))];
}
