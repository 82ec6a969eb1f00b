/**
 * CustomResourceDefinitions from schemas.
 *
 * {@linkcode crd} makes the definition of a resource that `defineResource` made of schemas. {@linkcode installDefinitions}
 * installs definitions, and {@linkcode validate} validates objects without a server. A schema of any library becomes plain
 * JSON Schema, then a structural schema, then its canonical form.
 *
 * @module
 */

export { crd } from "./crd.ts";
export type { FieldError } from "./field_error.ts";
export { installDefinitions, type InstallOptions } from "./install.ts";
export type { DefinitionConversion, DefinitionWebhooks } from "./installation.ts";
export { validate, type ValidateOptions } from "./validate.ts";
