/**
 * A field selector as the text that lists and watches take. Backslash, comma and equals sign in a value are escaped, so
 * nothing in it can change the selector's meaning.
 *
 * Which fields can be selected by depends on the resource: all have `metadata.name` and `metadata.namespace`; the server
 * answers 400 to others that it does not know.
 *
 * @param fields Fields and the values they must have.
 * @param notFields Fields and the values they must not have.
 * @throws {TypeError} When a field is not a path of names, or a value is not a string.
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
  return value.replace(/[\\,=]/g, "\\$&");
}
