import type { Span } from "../../release/mod.ts";

/**
 * The resources whose objects are not stored and about which admission is not asked, because it could lock everybody out of
 * the cluster, by their full names.
 */
export const VIRTUAL_RESOURCES: ReadonlySet<string> = new Set([
  "selfsubjectreviews.authentication.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/** Servers in which webhooks are not asked about them either, and not only policies. */
export const EXCLUDES_VIRTUAL: Span = {
  since: "1.37",
  gate: "ExcludeAdmissionWebhookVirtualResources",
};
