/**
 * Events of events.k8s.io/v1, and the rules that they share with Events of core/v1.
 *
 * @module
 */

export { EVENT } from "./event.ts";
export { CORE_EVENT_FIELDS } from "./event_fields.ts";
export { EVENT_TABLE } from "./event_table.ts";
export { validateEvent } from "./event_validation.ts";
