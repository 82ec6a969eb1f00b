import { Buffer } from "node:buffer";
import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  quote,
  required,
} from "../../../values/mod.ts";
import { objects, pemBlocks } from "../shared/mod.ts";
import { readCertificate } from "./x509.ts";

const CONDITIONS = "status.conditions";

/** The types of conditions that are either true or absent. They cannot be removed. */
const FINAL_TYPES = ["Approved", "Denied", "Failed"];

/** The types of conditions that only the subresource for approvals writes. */
const DECISIONS = ["Approved", "Denied"];

/** Returns the errors of a write to the status or the approval of a CertificateSigningRequest. */
export function validateProgress(
  next: JsonObject,
  old: JsonObject,
  subresource: "status" | "approval",
): FieldError[] {
  const [after, before] = [next, old].map((one) => objects(one, "status", "conditions")) as [
    JsonObject[],
    JsonObject[],
  ];
  const count = (conditions: readonly JsonObject[], type: string) =>
    conditions.filter((one) => getString(one, "type") === type).length;
  const refused = (verb: string, type: string) =>
    forbiddenField(CONDITIONS, `updates may not ${verb} a condition of type ${quote(type)}`);
  const [issued, was] = [next, old].map((one) => getString(one, "status", "certificate"));
  return [
    ...conditionErrors(after),
    ...(issued === was ? [] : certificateErrors(issued!)),
    ...FINAL_TYPES.filter((type) => count(after, type) < count(before, type))
      .map((type) => refused("remove", type)),
    ...(subresource === "approval" ? [] : DECISIONS)
      .filter((type) => count(after, type) > count(before, type))
      .map((type) => refused("add", type)),
    ...(subresource === "status" && issued !== was && was !== ""
      ? [
        forbiddenField("status.certificate", "updates may not modify existing certificate content"),
      ]
      : []),
  ];
}

function conditionErrors(conditions: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  conditions.forEach((condition, index) => {
    const field = item(CONDITIONS, index);
    const [type, status] = ["type", "status"].map((name) => getString(condition, name)) as [
      string,
      string,
    ];
    if (type === "") errors.push(required(child(field, "type")));
    const allowed = FINAL_TYPES.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (status === "") errors.push(required(child(field, "status")));
    else if (!allowed.includes(status)) {
      errors.push(notSupported(child(field, "status"), status, allowed));
    }
    const other = DECISIONS.find((one) => one !== type);
    if (DECISIONS.includes(type) && seen.has(other!)) {
      const why = "Approved and Denied conditions are mutually exclusive";
      errors.push(invalidValue(CONDITIONS, type, why));
    }
    if (seen.has(type)) errors.push(duplicate(child(field, "type"), type));
    seen.add(type);
  });
  return errors;
}

function certificateErrors(base64: string): FieldError[] {
  const error = base64 === "" ? undefined : certificateError(base64);
  return error === undefined
    ? []
    : [invalidValue("status.certificate", "<certificate data>", error)];
}

function certificateError(base64: string): string | undefined {
  const blocks = pemBlocks(Buffer.from(base64, "base64"));
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`;
    }
    if (hasHeaders) return "no PEM block headers are permitted";
    if (readCertificate(bytes) === undefined) return "x509: malformed certificate";
  }
  return undefined;
}
