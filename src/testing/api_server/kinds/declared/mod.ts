/**
 * The validation rules in the comments of Kubernetes' Go types, which a real server enforces since Kubernetes 1.37, in
 * addition to the rules of each kind or instead of them.
 *
 * Imports `release`, `schema` and `values`.
 *
 * @module
 */

export { withDeclared } from "./with_declared.ts";
