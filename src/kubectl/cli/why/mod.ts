/**
 * Explains the state of an object: its owners, the conditions it waits for, the managers of its fields, its Events, and the
 * reconciles that have written it or were caused by it.
 *
 * @module
 */

export { gather, type Gathered } from "./gather.ts";
export { type ManagerPlace, managerPlace, readManager } from "./manager_stories.ts";
export { type Report, reportOf } from "./report.ts";
export { reportText } from "./report_text.ts";
export { storiesAbout } from "./stories_about.ts";
