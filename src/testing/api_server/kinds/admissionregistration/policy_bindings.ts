import { getPath, getString, isObject, type JsonObject } from "../../../values/mod.ts";
import type { KindChange, KindOptions, KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named } from "../shared/mod.ts";
import { admissionKind } from "./admission_kind.ts";
import { defaultMatchResources } from "./match_resources.ts";
import { validateBinding, validateMutatingBinding } from "./policy_binding_validation.ts";

function policyBinding(
  plural: string,
  kind: string,
  own: KindOptions,
  ...changes: readonly KindChange[]
): KindRecord {
  return admissionKind(
    plural,
    kind,
    {
      defaults: (binding) => {
        const match = getPath(binding, "spec", "matchResources");
        if (isObject(match)) defaultMatchResources(match);
      },
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
    ...changes,
  );
}

/** ValidatingAdmissionPolicyBindings. */
export const VALIDATING_ADMISSION_POLICY_BINDING: KindRecord = policyBinding(
  "validatingadmissionpolicybindings",
  "ValidatingAdmissionPolicyBinding",
  { validate: validateBinding },
);

/** MutatingAdmissionPolicyBindings. */
export const MUTATING_ADMISSION_POLICY_BINDING: KindRecord = policyBinding(
  "mutatingadmissionpolicybindings",
  "MutatingAdmissionPolicyBinding",
  {
    served: { gate: "MutatingAdmissionPolicy" },
    storedVersion: "v1beta1",
    validate: validateMutatingBinding,
  },
  { since: "1.37", storedVersion: "v1" },
);

function paramText(binding: JsonObject): string {
  const reference = getPath(binding, "spec", "paramRef");
  if (!isObject(reference)) return "<unset>";
  const name = getString(reference, "name");
  return name === "" ? "<unset>" : `${getString(reference, "namespace") || "*"}/${name}`;
}
