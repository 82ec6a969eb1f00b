/**
 * CustomResourceDefinitions from schemas.
 *
 * {@linkcode crd} makes the definition of a resource that `defineResource` made of schemas. {@linkcode installDefinitions}
 * installs definitions, {@linkcode migrateDefinitions} rewrites what is stored in earlier versions, and {@linkcode validate}
 * validates objects without a server. A schema of any library becomes plain
 * JSON Schema, then a structural schema, then its canonical form.
 *
 * @module
 */

export { crd } from "./crd.ts";
export type { FieldError } from "./field_error.ts";
export { installDefinitions, type InstallOptions } from "./install.ts";
export type { DefinitionConversion, DefinitionWebhooks } from "./installation.ts";
export { migrateDefinitions, type MigrateOptions } from "./migrate_definitions.ts";
export { validate, type ValidateOptions } from "./validate.ts";
