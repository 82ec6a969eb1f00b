/**
 * The values of `testing/values`, under the path by which the rooms of the API server import them.
 *
 * Imports `testing/values`.
 *
 * @module
 */

export * from "../../values/mod.ts";
