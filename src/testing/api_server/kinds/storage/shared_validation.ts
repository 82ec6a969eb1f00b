import {
  byteLength,
  type FieldError,
  getString,
  invalidValue,
  type JsonObject,
  qualifiedName,
  required,
  tooLong,
} from "../../../values/mod.ts";

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

/** Returns the errors of the name of a volume provisioner. */
export function provisionerErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const low = name.toLowerCase();
  return qualifiedName(low).map((text) => invalidValue(field, low, text));
}

/** Returns the errors of the parameters of a class. */
export function parameterErrors(parameters: JsonObject, allowEmpty: boolean): FieldError[] {
  const field = "parameters";
  const names = Object.keys(parameters);
  const errors: FieldError[] = [];
  if (names.length > MAX_PARAMETERS) errors.push(tooLong(field, MAX_PARAMETERS));
  let size = 0;
  for (const name of names) {
    if (name === "") errors.push(invalidValue(field, name, "field can not be empty."));
    size += byteLength(name) + byteLength(getString(parameters, name));
  }
  if (size > MAX_PARAMETER_BYTES) errors.push(tooLong(field, MAX_PARAMETER_BYTES));
  if (names.length === 0 && !allowEmpty) {
    errors.push(required(field, "must contain at least one key/value pair"));
  }
  return errors;
}
