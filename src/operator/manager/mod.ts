/**
 * The manager of a program: it starts and stops controllers, caches, leader election, webhooks and HTTP endpoints in order.
 *
 * @module
 */

export type { Check, Checks } from "./checks.ts";
export { Manager, type ManagerRbacOptions, type ManagerSeeOptions } from "./manager.ts";
export type { NamespaceSelection } from "./selected_namespaces.ts";
export type { ManagerOptions } from "./manager_options.ts";
export type { Part } from "./parts.ts";
