import {
  child,
  dnsLabel,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import {
  objects,
  validateLabelSelector,
  validateNodeSelector,
  validateNodeSelectorTerm,
} from "../../shared/mod.ts";
import { validateLabelKeys } from "./label_keys.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** Returns the errors of the affinity of a Pod. */
export function validateAffinity(spec: JsonObject, field: string): FieldError[] {
  const affinity = getObject(spec, "affinity");
  const at = child(field, "affinity");
  return [
    ...validateNodeAffinity(getObject(affinity, "nodeAffinity"), child(at, "nodeAffinity")),
    ...["podAffinity", "podAntiAffinity"].flatMap((kind) =>
      validatePodAffinity(getObject(affinity, kind), child(at, kind))
    ),
  ];
}

function validateNodeAffinity(affinity: JsonObject, field: string): FieldError[] {
  const wanted = getOwn(affinity, REQUIRED);
  const errors = isObject(wanted) ? validateNodeSelector(wanted, child(field, REQUIRED)) : [];
  objects(affinity, PREFERRED).forEach((term, index) => {
    const at = item(child(field, PREFERRED), index);
    errors.push(...validateWeight(term, at));
    const preference = getObject(term, "preference");
    errors.push(
      ...validateNodeSelectorTerm(preference, child(at, "preference"), { anyValue: true }),
    );
  });
  return errors;
}

function validateWeight(term: JsonObject, field: string): FieldError[] {
  const weight = Number(getOwn(term, "weight") ?? 0);
  if (weight > 0 && weight <= 100) return [];
  return [invalidValue(child(field, "weight"), weight, "must be in the range 1-100")];
}

function validatePodAffinity(affinity: JsonObject, field: string): FieldError[] {
  return [
    ...objects(affinity, REQUIRED).flatMap((term, index) =>
      validateTerm(term, item(child(field, REQUIRED), index))
    ),
    ...objects(affinity, PREFERRED).flatMap((weighted, index) => {
      const at = item(child(field, PREFERRED), index);
      const term = getObject(weighted, "podAffinityTerm");
      return [
        ...validateWeight(weighted, at),
        ...validateTerm(term, child(at, "podAffinityTerm")),
      ];
    }),
  ];
}

function validateTerm(term: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["labelSelector", "namespaceSelector"]) {
    const selector = getOwn(term, name);
    if (isObject(selector)) errors.push(...validateLabelSelector(selector, child(field, name)));
  }
  for (const name of getArray(term, "namespaces").map(String)) {
    const at = child(field, "namespace");
    errors.push(...dnsLabel(name).map((text) => invalidValue(at, name, text)));
  }
  errors.push(...validateLabelKeys(term, field));
  const key = getString(term, "topologyKey");
  const at = child(field, "topologyKey");
  if (key === "") errors.push(required(at, "can not be empty"));
  return [...errors, ...qualifiedName(key).map((text) => invalidValue(at, key, text))];
}
