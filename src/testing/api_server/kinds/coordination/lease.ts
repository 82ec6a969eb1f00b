import {
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named, nonNegative } from "../shared/mod.ts";

/** Leases. */
export const LEASE: KindRecord = defineKind("coordination.k8s.io/v1", "leases", "Lease", {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  names: "subdomain",
  finalizers: "any",
  validatesAgain: false,
  validate: validateLease,
  validateChange: validateLease,
  table: {
    columns: [
      NAME,
      column(
        "Holder",
        "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.",
      ),
      AGE,
    ],
    row: named((lease) => [getString(lease, "spec", "holderIdentity")]),
  },
});

/** Returns the validation errors of a Lease apart from its metadata. */
function validateLease(lease: JsonObject): FieldError[] {
  const spec = getObject(lease, "spec");
  const errors: FieldError[] = [];
  const seconds = getOwn(spec, "leaseDurationSeconds");
  if (typeof seconds === "number" && seconds <= 0) {
    errors.push(invalidValue("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  errors.push(...nonNegative(spec, "spec", "leaseTransitions"));
  return errors;
}
