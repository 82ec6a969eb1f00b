import {
  compareQuantities,
  type FieldError,
  getObject,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  qualifiedName,
  wholeAmount,
} from "../../../../values/mod.ts";
import { isNativeResource } from "../../shared/mod.ts";

/** The states of a resize, in the order in which the real server lists them. */
const RESIZES = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Returns the errors of the status of a PersistentVolumeClaim. */
export function validateClaimStatus(claim: JsonObject): FieldError[] {
  const status = getObject(claim, "status");
  const errors: FieldError[] = [];
  const capacity = getObject(status, "capacity");
  for (const name of Object.keys(capacity)) {
    errors.push(...amountErrors(getString(capacity, name), item("status.capacity", name)));
  }
  const resizes = getObject(status, "allocatedResourceStatuses");
  const states = "status.allocatedResourceStatuses";
  for (const name of Object.keys(resizes)) {
    const wrong = nameErrors(name, states);
    if (!RESIZES.includes(getString(resizes, name))) {
      wrong.push(notSupported(states, name, RESIZES));
    }
    errors.push(...wrong);
  }
  const allocated = getObject(status, "allocatedResources");
  for (const name of Object.keys(allocated)) {
    const wrong = nameErrors(name, "status.allocatedResources");
    errors.push(
      ...(wrong.length > 0 ? wrong : amountErrors(
        getString(allocated, name),
        item("status.allocatedResources", name),
      )),
    );
  }
  return errors;
}

function amountErrors(amount: string, field: string): FieldError[] {
  if (compareQuantities(amount, "0")! >= 0) return [];
  return [invalidValue(field, wholeAmount(amount), "must be a valid resource quantity")];
}

function nameErrors(name: string, field: string): FieldError[] {
  const errors = qualifiedName(name).map((text) => invalidValue(field, name, text));
  if (errors.length > 0 || !isNativeResource(name) || name === "storage") return errors;
  return [notSupported(field, name, ["storage"])];
}
