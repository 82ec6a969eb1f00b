/**
 * Why an object is as it is: who has written which of its fields, what it waits for, who owns it, what was said about it,
 * and which reconciles have to do with it.
 *
 * An object with its owners, Events and stories enters; a report leaves, as data or as text.
 *
 * @module
 */

export { gather, type Gathered } from "./gather.ts";
export { type ManagerPlace, managerPlace, readManager } from "./manager_stories.ts";
export { type Report, reportOf } from "./report.ts";
export { reportText } from "./report_text.ts";
export { storiesAbout } from "./stories_about.ts";
