import {
  child,
  type FieldError,
  getObject,
  getOwn,
  getString,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import {
  AGE,
  column,
  fillPointer,
  NAME,
  named,
  objects,
  validateConditions,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { defaultMatchResources } from "./match_resources.ts";
import { validatePolicy } from "./policy_validation.ts";

/** ValidatingAdmissionPolicies. */
export const VALIDATING_ADMISSION_POLICY: KindRecord = defineKind(
  "admissionregistration.k8s.io/v1",
  "validatingadmissionpolicies",
  "ValidatingAdmissionPolicy",
  {
    namespaced: false,
    categories: ["api-extensions"],
    isExempt: true,
    subresources: [STATUS],
    counts: [["spec"]],
    statusKeeps: ["*"],
    validateStatus: (policy, _, release) => [
      ...validateWarnings(policy),
      ...validateConditions(policy, release),
    ],
    allowUnconditionalUpdate: false,
    defaults: defaultPolicy,
    names: "subdomain",
    validatesMetaChange: false,
    finalizers: "any",
    validate: validatePolicy,
    table: {
      columns: [
        NAME,
        column(
          "Validations",
          "Validations indicates the number of validation rules defined in this configuration",
          0,
          "integer",
        ),
        column(
          "ParamKind",
          "ParamKind specifies the kind of resources used to parameterize this policy",
        ),
        AGE,
      ],
      row: named((policy) => {
        const kind = getObject(policy, "spec", "paramKind");
        return [
          objects(policy, "spec", "validations").length,
          Object.keys(kind).length === 0
            ? "<unset>"
            : `${getString(kind, "apiVersion")}/${getString(kind, "kind")}`,
        ];
      }),
    },
  },
);

/** Returns the errors of the warnings about the types in expressions. */
function validateWarnings(policy: JsonObject): FieldError[] {
  const warnings = objects(policy, "status", "typeChecking", "expressionWarnings");
  return warnings.flatMap((warning, index) => {
    const at = item("status.typeChecking.expressionWarnings", index);
    return ["warning", "fieldRef"].filter((name) => getString(warning, name).trim() === "")
      .map((name) => required(child(at, name)));
  });
}

function defaultPolicy(policy: JsonObject): void {
  const spec = getObject(policy, "spec");
  fillPointer(spec, "failurePolicy", "Fail");
  const constraints = getOwn(spec, "matchConstraints");
  if (isObject(constraints)) defaultMatchResources(constraints);
}
