import { compileCondition } from "@kubeloop/controller/internal/cel";
import {
  child,
  duplicate,
  type FieldError,
  getString,
  invalidValue,
  item,
  type JsonObject,
  qualifiedName,
  required,
  tooMany,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";
import { expressionErrors } from "./expression_error.ts";

/** The maximum number of conditions of a webhook or policy. */
const MAX_CONDITIONS = 64;

/**
 * Returns the errors of the conditions (CEL) of an admission webhook or policy.
 *
 * @param owner The object with the field `matchConditions`.
 * @param params Whether the conditions can use `params`.
 */
export function validateMatchConditions(
  owner: JsonObject,
  field: string,
  params: boolean,
): FieldError[] {
  const conditions = objects(owner, "matchConditions");
  const errors: FieldError[] = [];
  if (conditions.length > MAX_CONDITIONS) {
    errors.push(tooMany(field, conditions.length, MAX_CONDITIONS));
  }
  const names = new Set<string>();
  conditions.forEach((condition, index) => {
    const at = item(field, index);
    const expression = getString(condition, "expression").trim();
    if (expression === "") errors.push(required(child(at, "expression")));
    else {
      const compiled = compileCondition(expression, { params, authorizer: true }, "bool");
      errors.push(...expressionErrors(child(at, "expression"), expression, compiled));
    }
    const name = getString(condition, "name");
    if (name === "") errors.push(required(child(at, "name")));
    else {
      errors.push(
        ...qualifiedName(name).map((text) => invalidValue(child(at, "name"), name, text)),
      );
      if (names.has(name)) errors.push(duplicate(child(at, "name"), name));
      names.add(name);
    }
  });
  return errors;
}
