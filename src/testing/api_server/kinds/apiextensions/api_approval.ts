import {
  type FieldError,
  getString,
  invalidValue,
  item,
  type JsonObject,
  quote,
  required,
} from "../../../values/mod.ts";

const ANNOTATION = "api-approved.kubernetes.io";
const POLICY = "see https://github.com/kubernetes/enhancements/pull/1111";
/** The domains whose groups need an approval. */
const PROTECTED = ["k8s.io", "kubernetes.io"];

/** Whether a definition in a protected group is approved, and why, as in its status. */
export interface ApiApproval {
  readonly status: "True" | "False";
  readonly reason:
    | "ApprovedAnnotation"
    | "InvalidAnnotation"
    | "MissingAnnotation"
    | "UnapprovedAnnotation";
  readonly message: string;
}

/** Returns the approval of a definition by its annotation; undefined if its group needs none. */
export function approvalOf(crd: JsonObject): ApiApproval | undefined {
  const group = getString(crd, "spec", "group");
  if (!PROTECTED.some((domain) => group === domain || group.endsWith(`.${domain}`))) {
    return undefined;
  }
  const given = getString(crd, "metadata", "annotations", ANNOTATION);
  const needs = `protected groups must have approval annotation ${quote(ANNOTATION)}`;
  if (given === "") {
    return { status: "False", reason: "MissingAnnotation", message: `${needs}, ${POLICY}` };
  }
  if (hasHost(given)) {
    return { status: "True", reason: "ApprovedAnnotation", message: `approved in ${given}` };
  }
  if (given.startsWith("unapproved")) {
    const message = `not approved: ${quote(given)}`;
    return { status: "False", reason: "UnapprovedAnnotation", message };
  }
  const message = `${needs} with either a URL or a reason starting with "unapproved", ${POLICY}`;
  return { status: "False", reason: "InvalidAnnotation", message };
}

/**
 * Returns an error for a definition whose group needs an approval that it does not have; none if it had none before.
 */
export function validateApproval(crd: JsonObject, old?: JsonObject): FieldError[] {
  const approval = approvalOf(crd);
  if (approval === undefined || old !== undefined && approvalOf(old)?.reason === approval.reason) {
    return [];
  }
  const field = item("metadata.annotations", ANNOTATION);
  if (approval.reason === "MissingAnnotation") return [required(field, approval.message)];
  if (approval.reason !== "InvalidAnnotation") return [];
  const given = getString(crd, "metadata", "annotations", ANNOTATION);
  return [invalidValue(field, given, approval.message)];
}

function hasHost(text: string): boolean {
  return URL.canParse(text) && new URL(text).host !== "" && text.includes("//");
}
