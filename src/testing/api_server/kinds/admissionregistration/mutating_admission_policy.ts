import type { KindRecord } from "../record/mod.ts";
import { admissionPolicy } from "./admission_policy.ts";
import { validateMutatingPolicy } from "./mutation_validation.ts";

/** MutatingAdmissionPolicies. */
export const MUTATING_ADMISSION_POLICY: KindRecord = admissionPolicy(
  "mutatingadmissionpolicies",
  "MutatingAdmissionPolicy",
  {
    field: "mutations",
    title: "Mutations",
    description: "Mutation indicates the number of mutations rules defined in this configuration",
  },
  {
    served: { gate: "MutatingAdmissionPolicy" },
    storedVersion: "v1beta1",
    validate: validateMutatingPolicy,
  },
  { since: "1.37", storedVersion: "v1" },
);
