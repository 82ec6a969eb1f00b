import {
  child,
  type FieldError,
  getString,
  item,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import { type KindRecord, STATUS } from "../record/mod.ts";
import { objects, validateConditions } from "../shared/mod.ts";
import { admissionPolicy } from "./admission_policy.ts";
import { validatePolicy } from "./policy_validation.ts";

/** ValidatingAdmissionPolicies. */
export const VALIDATING_ADMISSION_POLICY: KindRecord = admissionPolicy(
  "validatingadmissionpolicies",
  "ValidatingAdmissionPolicy",
  {
    field: "validations",
    title: "Validations",
    description:
      "Validations indicates the number of validation rules defined in this configuration",
  },
  {
    subresources: [STATUS],
    statusKeeps: ["*"],
    validateStatus: (policy, _, release) => [
      ...validateWarnings(policy),
      ...validateConditions(policy, release),
    ],
    validate: validatePolicy,
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
