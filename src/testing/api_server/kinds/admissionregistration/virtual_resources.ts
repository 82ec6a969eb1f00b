import type { Span } from "../../release/mod.ts";

/**
 * The full names of the resources whose requests skip admission, which could otherwise lock everybody out of the cluster.
 * Their objects are not stored.
 */
export const VIRTUAL_RESOURCES: ReadonlySet<string> = new Set([
  "selfsubjectreviews.authentication.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/** Servers that keep these requests from webhooks, too. Policies never see them. */
export const EXCLUDES_VIRTUAL: Span = {
  since: "1.37",
  gate: "ExcludeAdmissionWebhookVirtualResources",
};
