import {
  dnsSubdomain,
  type FieldError,
  invalidValue,
  required,
  tooLong,
} from "../../../values/mod.ts";

const MAX_LENGTH = 253;

/** Returns the errors of the name of a pool of devices: DNS subdomains with slashes between them. */
export function poolNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const errors = name.length > MAX_LENGTH ? [tooLong(field, MAX_LENGTH)] : [];
  return [
    ...errors,
    ...name.split("/").flatMap((part) =>
      dnsSubdomain(part).map((text) => invalidValue(field, part, text))
    ),
  ];
}
