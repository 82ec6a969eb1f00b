import {
  child,
  dnsSubdomain,
  type FieldError,
  getObject,
  getPath,
  getString,
  humanAge,
  invalidValue,
  isObject,
  type Json,
  type JsonObject,
  pathSegmentName,
  required,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { column, immutable, NAME, since } from "../shared/mod.ts";

/** IPAddresses. */
export const IP_ADDRESS: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "ipaddresses",
  "IPAddress",
  {
    namespaced: false,
    shortNames: ["ip"],
    names: "ip",
    validate: validateAddress,
    wholeFirst: true,
    validateChange: (next, old) => immutable(next, old, "spec", "parentRef"),
    table: {
      columns: [
        NAME,
        since(
          column(
            "ParentRef",
            "ParentRef references the resource that an IPAddress is attached to. An IPAddress must reference a parent object.",
          ),
          "1.37",
          "parentRef references the resource that an IPAddress is attached to. An IPAddress must reference a parent object.",
        ),
      ],
      row: addressRow,
    },
  },
);

function addressRow(address: JsonObject, nowMs: number): Json[] {
  const parent = getObject(address, "spec", "parentRef");
  const group = getString(parent, "group");
  const namespace = getString(parent, "namespace");
  const resource = `${getString(parent, "resource")}${group === "" ? "" : `.${group}`}`;
  const text = Object.keys(parent).length === 0
    ? "<none>"
    : [resource.toLowerCase(), ...(namespace === "" ? [] : [namespace]), getString(parent, "name")]
      .join("/");
  return [
    getString(address, "metadata", "name"),
    text,
    humanAge(getString(address, "metadata", "creationTimestamp"), nowMs),
  ];
}

function validateAddress(address: JsonObject): FieldError[] {
  const field = "spec.parentRef";
  const parent = getPath(address, "spec", "parentRef");
  if (!isObject(parent)) return [required(field)];
  const errors: FieldError[] = [];
  const group = getString(parent, "group");
  if (group !== "") {
    const at = child(field, "group");
    errors.push(...dnsSubdomain(group).map((reason) => invalidValue(at, group, reason)));
  }
  for (const name of ["resource", "name"]) {
    const value = getString(parent, name);
    const at = child(field, name);
    if (value === "") errors.push(required(at));
    else errors.push(...pathSegmentName(value).map((reason) => invalidValue(at, value, reason)));
  }
  const namespace = getString(parent, "namespace");
  const at = child(field, "namespace");
  errors.push(...pathSegmentName(namespace).map((reason) => invalidValue(at, namespace, reason)));
  return errors;
}
