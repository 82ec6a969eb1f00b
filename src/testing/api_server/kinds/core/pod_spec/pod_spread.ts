import {
  child,
  duplicate,
  type FieldError,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { objects, validateLabelSelector } from "../../shared/mod.ts";
import { validateLabelKeys } from "./label_keys.ts";

const ACTIONS = ["DoNotSchedule", "ScheduleAnyway"];
const POSITIVE = "must be greater than zero";

/** Returns the errors of the topology spread constraints of a Pod. */
export function validateSpread(spec: JsonObject, field: string): FieldError[] {
  const constraints = objects(spec, "topologySpreadConstraints");
  return constraints.flatMap((constraint, index) => {
    const at = item(child(field, "topologySpreadConstraints"), index);
    const errors: FieldError[] = [];
    const skew = Number(getOwn(constraint, "maxSkew") ?? 0);
    if (skew <= 0) errors.push(invalidValue(child(at, "maxSkew"), skew, POSITIVE));
    const key = getString(constraint, "topologyKey");
    if (key === "") errors.push(required(child(at, "topologyKey"), "can not be empty"));
    const action = getString(constraint, "whenUnsatisfiable");
    if (!ACTIONS.includes(action)) {
      errors.push(notSupported(child(at, "whenUnsatisfiable"), action, ACTIONS));
    }
    const repeated = constraints.slice(index + 1).some((other) =>
      getString(other, "topologyKey") === key && getString(other, "whenUnsatisfiable") === action
    );
    if (repeated) {
      const pair = child(at, "{topologyKey, whenUnsatisfiable}");
      errors.push(duplicate(pair, `{${key}, ${action}}`));
    }
    const domains = getOwn(constraint, "minDomains");
    if (typeof domains === "number") {
      const where = child(at, "minDomains");
      if (domains <= 0) errors.push(invalidValue(where, domains, POSITIVE));
      if (action !== "DoNotSchedule") {
        const text = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
        errors.push(invalidValue(where, domains, text));
      }
    }
    for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const policy = getOwn(constraint, name);
      if (typeof policy !== "string" || policy === "Honor" || policy === "Ignore") continue;
      errors.push(notSupported(child(at, name), policy, ["Honor", "Ignore"]));
    }
    errors.push(...validateLabelKeys(constraint, at));
    const selector = getOwn(constraint, "labelSelector");
    if (isObject(selector)) {
      errors.push(...validateLabelSelector(selector, child(at, "labelSelector")));
    }
    return errors;
  });
}
