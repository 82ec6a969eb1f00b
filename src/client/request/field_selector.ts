import { escapeTerm } from "../../base/mod.ts";

/**
 * Returns a field selector in the text form of the API. Backslashes, commas and equals signs in values are escaped, so
 * a value cannot change the meaning of the selector.
 *
 * The supported fields depend on the resource. All resources support `metadata.name` and `metadata.namespace`. The
 * server answers 400 to unsupported fields.
 *
 * @param fields Fields and the values that they must have.
 * @param notFields Fields and the values that they must not have.
 * @returns The field selector.
 * @throws {TypeError} If a field is not a field path, or a value is not a string.
 *
 * @example
 * ```ts
 * import { fieldSelector } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   fieldSelector({ "spec.nodeName": "n1" }, { "status.phase": "Succeeded" }),
 *   "spec.nodeName=n1,status.phase!=Succeeded",
 * );
 * ```
 */
export function fieldSelector(
  fields: Readonly<Record<string, string>>,
  notFields: Readonly<Record<string, string>> = {},
): string {
  return [
    ...Object.entries(fields).map(([field, value]) => `${path(field)}=${escape(field, value)}`),
    ...Object.entries(notFields).map(([field, value]) => `${path(field)}!=${escape(field, value)}`),
  ].join(",");
}

function path(field: string): string {
  if (!/^[^\s,=!\\]+$/.test(field)) {
    throw new TypeError(
      `Invalid field ${
        JSON.stringify(field)
      } in a field selector: expected a path such as "metadata.name"`,
    );
  }
  return field;
}

function escape(field: string, value: string): string {
  if (typeof value !== "string") {
    throw new TypeError(
      `Invalid value of field "${field}" in a field selector: expected a string, received ${typeof value}`,
    );
  }
  return escapeTerm(value);
}
