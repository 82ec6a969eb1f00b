import {
  byteLength,
  child,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { AGE, column, driverErrors, immutable, NAME, named } from "../shared/mod.ts";

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
    validateCreate: validateNewAttachment,
    wholeFirst: true,
    validateChange: (next, old, release) => [
      ...(release.has({ since: "1.36" }) ? volumeNameErrors(next) : []),
      ...immutable(next, old, "spec"),
    ],
    validateStatus: validateAttachmentStatus,
    deletion: { returnsObject: true },
    table: {
      columns: [
        NAME,
        {
          ...column(
            "Attacher",
            "attacher indicates the name of the volume driver that MUST handle this request. This is the name returned by GetPluginName().",
          ),
          format: "name",
        },
        column(
          "PV",
          "persistentVolumeName represents the name of the persistent volume to attach.",
        ),
        column("Node", "nodeName represents the node that the volume should be attached to."),
        column(
          "Attached",
          "attached indicates the volume is successfully attached. This field must only be set by the entity completing the attach operation, i.e. the external-attacher.",
          0,
          "boolean",
        ),
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

function validateAttachment(one: JsonObject, release: Release): FieldError[] {
  const spec = getObject(one, "spec");
  const attacher = getString(spec, "attacher");
  const node = getString(spec, "nodeName");
  const source = getObject(spec, "source");
  const volume = getOwn(source, "persistentVolumeName");
  const inline = getOwn(source, "inlineVolumeSpec");
  const field = "spec.source";
  const at = child(field, "persistentVolumeName");
  const only = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const isFirst = release.has({ since: "1.36" });
  const missing = attacher === "" ? [required("spec.attacher")] : [];
  const errors = isFirst ? driverErrors(attacher, "spec.attacher") : missing;
  if (!isObject(inline) && volume === undefined) errors.push(required(field, only));
  if (isObject(inline)) {
    if (volume !== undefined) errors.push(forbiddenField(field, only));
    else errors.push(...validateInline(inline, child(field, "inlineVolumeSpec")));
  } else if (volume === "") {
    errors.push(required(at, "must specify non empty persistentVolumeName"));
  }
  errors.push(...dnsSubdomain(node).map((text) => invalidValue("spec.nodeName", node, text)));
  return errors;
}

/** Returns the errors of a new VolumeAttachment that updates do not check. */
function validateNewAttachment(one: JsonObject, release: Release): FieldError[] {
  const errors = volumeNameErrors(one);
  if (release.has({ since: "1.36" })) return errors;
  return [...driverErrors(getString(one, "spec", "attacher"), "spec.attacher"), ...errors];
}

function volumeNameErrors(one: JsonObject): FieldError[] {
  const volume = getPath(one, "spec", "source", "persistentVolumeName");
  if (typeof volume !== "string") return [];
  const at = "spec.source.persistentVolumeName";
  return dnsSubdomain(volume).map((text) => invalidValue(at, volume, text));
}

/** Returns the errors of a volume without an object of its own, which only CSI drivers have. */
function validateInline(spec: JsonObject, field: string): FieldError[] {
  const why = "in the context of inline volumes";
  const forbidden = ["claimRef", "capacity"].filter((name) => isObject(getOwn(spec, name)));
  return [
    ...forbidden.map((name) => forbiddenField(child(field, name), `may not be specified ${why}`)),
    ...(isObject(getOwn(spec, "csi"))
      ? []
      : [required(child(field, "csi"), `has to be specified ${why}`)]),
    ...(getArray(spec, "accessModes").length > 0 ? [] : [required(child(field, "accessModes"))]),
  ];
}

const MAX_METADATA_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;

/** Returns the errors of the status of a VolumeAttachment. */
function validateAttachmentStatus(one: JsonObject): FieldError[] {
  const status = getObject(one, "status");
  const metadata = getObject(status, "attachmentMetadata");
  const size = Object.entries(metadata)
    .reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)), 0);
  return [
    ...(size > MAX_METADATA_BYTES
      ? [tooLong("status.attachmentMetadata", MAX_METADATA_BYTES)]
      : []),
    ...["attachError", "detachError"].flatMap((name) =>
      volumeErrorErrors(getObject(status, name), child("status", name))
    ),
  ];
}

function volumeErrorErrors(one: JsonObject, field: string): FieldError[] {
  const code = getOwn(one, "errorCode");
  // The error names the bound of the metadata, as the real server's does.
  const errors = byteLength(getString(one, "message")) > MAX_MESSAGE_BYTES
    ? [tooLong(child(field, "message"), MAX_METADATA_BYTES)]
    : [];
  if (typeof code !== "number" || code >= 0) return errors;
  const reason = "must be between 0 and 2147483647, inclusive";
  return [...errors, invalidValue(child(field, "errorCode"), code, reason)];
}
