import {
  dnsSubdomain,
  type FieldError,
  invalidValue,
  required,
  tooLong,
} from "../../../values/mod.ts";

/** Returns the errors of the name of a CSI driver. */
export function driverErrors(driver: string, field: string): FieldError[] {
  if (driver === "") return [required(field)];
  const errors = driver.length > 63 ? [tooLong(field, 63)] : [];
  const wrong = dnsSubdomain(driver.toLowerCase());
  return [...errors, ...wrong.map((text) => invalidValue(field, driver, text))];
}
