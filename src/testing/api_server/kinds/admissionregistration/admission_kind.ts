import { defineKind, type KindChange, type KindOptions, type KindRecord } from "../record/mod.ts";
import { STATIC_NAMES } from "./static_names.ts";

/**
 * Defines a kind that configures admission: a policy, a binding of one, or a configuration of webhooks.
 *
 * @param own The options that the kind does not share with the others.
 * @param changes The options that differ in some releases.
 */
export function admissionKind(
  plural: string,
  kind: string,
  own: KindOptions,
  ...changes: readonly KindChange[]
): KindRecord {
  return defineKind(
    "admissionregistration.k8s.io/v1",
    plural,
    kind,
    {
      namespaced: false,
      categories: ["api-extensions"],
      isExempt: true,
      counts: [["spec"]],
      allowUnconditionalUpdate: false,
      names: "subdomain",
      validatesMetaChange: false,
      finalizers: "any",
      ...own,
    },
    ...STATIC_NAMES,
    ...changes,
  );
}
