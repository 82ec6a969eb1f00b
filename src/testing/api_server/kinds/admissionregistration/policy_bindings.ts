import {
  type FieldError,
  getPath,
  getString,
  isObject,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindChange, type KindOptions, type KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named } from "../shared/mod.ts";
import { defaultMatchResources } from "./match_resources.ts";
import { STATIC_NAMES } from "./static_names.ts";
import { validateBinding, validateMutatingBinding } from "./policy_binding_validation.ts";

function policyBinding(
  plural: string,
  kind: string,
  validate: (binding: JsonObject) => FieldError[],
  own: KindOptions = {},
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
      defaults: (binding) => {
        const match = getPath(binding, "spec", "matchResources");
        if (isObject(match)) defaultMatchResources(match);
      },
      names: "subdomain",
      validatesMetaChange: false,
      finalizers: "any",
      validate,
      table: {
        columns: [
          NAME,
          column(
            "PolicyName",
            "PolicyName indicates the policy definition which the policy binding binded to",
          ),
          column(
            "ParamRef",
            "ParamRef indicates the param resource which sets the configuration param",
          ),
          AGE,
        ],
        row: named((binding) => [getString(binding, "spec", "policyName"), paramText(binding)]),
      },
      ...own,
    },
    ...STATIC_NAMES,
    ...changes,
  );
}

/** ValidatingAdmissionPolicyBindings. */
export const VALIDATING_ADMISSION_POLICY_BINDING: KindRecord = policyBinding(
  "validatingadmissionpolicybindings",
  "ValidatingAdmissionPolicyBinding",
  validateBinding,
);

/** MutatingAdmissionPolicyBindings. */
export const MUTATING_ADMISSION_POLICY_BINDING: KindRecord = policyBinding(
  "mutatingadmissionpolicybindings",
  "MutatingAdmissionPolicyBinding",
  validateMutatingBinding,
  { served: { gate: "MutatingAdmissionPolicy" }, storedVersion: "v1beta1" },
  { since: "1.37", storedVersion: "v1" },
);

function paramText(binding: JsonObject): string {
  const reference = getPath(binding, "spec", "paramRef");
  if (!isObject(reference)) return "<unset>";
  const name = getString(reference, "name");
  return name === "" ? "<unset>" : `${getString(reference, "namespace") || "*"}/${name}`;
}
