/**
 * The schema of a custom resource in one place: a resource of `defineResource` with schemas enters, and its
 * CustomResourceDefinition, local validation and installation leave.
 *
 * A schema of any library becomes plain JSON Schema, then the words of a structural schema, then its canonical form.
 *
 * @module
 */

export { crd } from "./crd.ts";
export type { FieldError } from "./field_error.ts";
export { installDefinitions, type InstallOptions } from "./install.ts";
export type { DefinitionConversion, DefinitionWebhooks } from "./installation.ts";
export { validate } from "./validate.ts";
