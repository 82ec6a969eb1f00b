import { metadataLabels, ownLabels } from "./field_labels.ts";
import type { KindOptions, KindRecord } from "./kind_record.ts";
import { objectCount } from "./quota_rules.ts";
import type { SubresourceDefinition } from "./resource_definition.ts";

const READ_WRITE: readonly string[] = ["get", "patch", "update"];

/** The status subresource. */
export const STATUS: SubresourceDefinition = { name: "status", verbs: READ_WRITE };

/** The scale subresource of a built-in kind. */
export const SCALE: SubresourceDefinition = {
  name: "scale",
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  verbs: READ_WRITE,
};

/** Returns a subresource for connections. `kind` is the kind of its options. */
export function connection(name: string, kind: string): SubresourceDefinition {
  const verbs = name === "proxy"
    ? ["create", "delete", "get", "patch", "update"]
    : ["create", "get"];
  return { name, kind, verbs, connects: true };
}

/**
 * Returns the record of a built-in kind.
 *
 * @param groupVersion The group and version, as in `apps/v1`, or the version only in the core group.
 */
export function defineKind(
  groupVersion: string,
  plural: string,
  kind: string,
  options: KindOptions = {},
): KindRecord {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  const {
    namespaced = true,
    singular = kind.toLowerCase(),
    shortNames,
    categories,
    verbs,
    subresources,
    uncached,
    deprecation,
    fields,
    unknownField,
    ...own
  } = options;
  return {
    definition: {
      group,
      version,
      plural,
      kind,
      namespaced,
      singular,
      listKind: `${kind}List`,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
      ...(verbs === undefined ? {} : { verbs }),
      ...(subresources === undefined ? {} : { subresources }),
      ...(uncached === undefined ? {} : { uncached }),
      ...(deprecation === undefined ? {} : { deprecation }),
    },
    hasStatus: subresources?.includes(STATUS) ?? false,
    storedAsJson: false,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    statusKeeps: [],
    gated: [],
    parts: {},
    finalizers: "qualified",
    validatesAgain: true,
    validatesMetaChange: true,
    wholeFirst: false,
    fieldLabels: fields === undefined
      ? metadataLabels()
      : ownLabels(namespaced, fields, unknownField),
    isNamespace: false,
    isExempt: false,
    admitsStatus: false,
    directsFlow: false,
    quota: objectCount(group === "" ? plural : `${plural}.${group}`),
    deletion: {},
    ...own,
  };
}
