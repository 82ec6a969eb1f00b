/**
 * Finds the Pods of an object, such as a Deployment or a Service.
 *
 * @module
 */

export { podSelectorOf } from "./pod_selector.ts";
