import { getObject, getOwn, getString, isObject, type JsonObject } from "../../../values/mod.ts";
import type { KindChange, KindOptions, KindRecord } from "../record/mod.ts";
import { AGE, column, fillPointer, NAME, named, objects } from "../shared/mod.ts";
import { admissionKind } from "./admission_kind.ts";
import { defaultMatchResources } from "./match_resources.ts";

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
  return admissionKind(
    plural,
    kind,
    {
      defaults: defaultPolicy,
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
