/**
 * Prints a TypeScript module for CustomResourceDefinitions: the interfaces of their objects, and the descriptors of their
 * resources. It neither reads files nor parses arguments.
 *
 * @module
 */

export { type GivenDefinition, typesOf } from "./types_of.ts";
