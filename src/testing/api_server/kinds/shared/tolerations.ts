import {
  child,
  type FieldError,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  labelValue,
  notSupported,
  qualifiedName,
} from "../../../values/mod.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const NO_KEY =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';

/** Returns the errors of tolerations. */
export function validateTolerations(
  tolerations: readonly JsonObject[],
  field: string,
): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = item(field, index);
    const errors: FieldError[] = [];
    const key = getString(toleration, "key");
    const operator = getString(toleration, "operator");
    const effect = getString(toleration, "effect");
    if (key !== "") {
      errors.push(...qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text)));
    } else if (operator !== "Exists") {
      errors.push(invalidValue(child(at, "operator"), operator, NO_KEY));
    }
    if (getOwn(toleration, "tolerationSeconds") !== undefined && effect !== "NoExecute") {
      const text = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(child(at, "effect"), effect, text));
    }
    errors.push(...validateOperator(operator, getString(toleration, "value"), at));
    if (effect !== "" && !EFFECTS.includes(effect)) {
      errors.push(notSupported(child(at, "effect"), effect, EFFECTS));
    }
    return errors;
  });
}

function validateOperator(operator: string, value: string, at: string): FieldError[] {
  const field = child(at, "operator");
  switch (operator) {
    case "":
    case "Equal": {
      const wrong = labelValue(value);
      return wrong.length === 0 ? [] : [invalidValue(field, value, wrong.join(";"))];
    }
    case "Exists":
      return value === ""
        ? []
        : [invalidValue(field, value, "value must be empty when `operator` is 'Exists'")];
    case "Gt":
    case "Lt":
      return [notSupported(field, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(field, operator, ["Equal", "Exists"])];
  }
}
