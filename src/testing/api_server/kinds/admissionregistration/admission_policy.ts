import { getObject, getOwn, getString, isObject, type JsonObject } from "../../../values/mod.ts";
import { defineKind, type KindChange, type KindOptions, type KindRecord } from "../record/mod.ts";
import { AGE, column, fillPointer, NAME, named, objects } from "../shared/mod.ts";
import { defaultMatchResources } from "./match_resources.ts";
import { STATIC_NAMES } from "./static_names.ts";

/**
 * Returns the record of a kind of admission policies.
 *
 * @param rules The field that lists the rules of a policy, with the title and description of its column.
 * @param own The options that the kind does not share with the others.
 * @param changes The options that differ in some releases.
 */
export function admissionPolicy(
  plural: string,
  kind: string,
  rules: { readonly field: string; readonly title: string; readonly description: string },
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
      defaults: defaultPolicy,
      names: "subdomain",
      validatesMetaChange: false,
      finalizers: "any",
      table: {
        columns: [
          NAME,
          column(rules.title, rules.description, 0, "integer"),
          column(
            "ParamKind",
            "ParamKind specifies the kind of resources used to parameterize this policy",
          ),
          AGE,
        ],
        row: named((policy) => [objects(policy, "spec", rules.field).length, paramKind(policy)]),
      },
      ...own,
    },
    ...STATIC_NAMES,
    ...changes,
  );
}

function paramKind(policy: JsonObject): string {
  const kind = getObject(policy, "spec", "paramKind");
  return Object.keys(kind).length === 0
    ? "<unset>"
    : `${getString(kind, "apiVersion")}/${getString(kind, "kind")}`;
}

function defaultPolicy(policy: JsonObject): void {
  const spec = getObject(policy, "spec");
  fillPointer(spec, "failurePolicy", "Fail");
  const constraints = getOwn(spec, "matchConstraints");
  if (isObject(constraints)) defaultMatchResources(constraints);
}
