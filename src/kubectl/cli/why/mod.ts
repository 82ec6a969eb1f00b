/**
 * Explains the state of an object: its owners, the conditions it waits for, the managers of its fields, its Events, and the
 * reconciles that have written it or were caused by it.
 *
 * @module
 */

export { gather } from "./gather.ts";
export { managerPlace, readManager, storiesAbout } from "./manager_stories.ts";
export { reportOf } from "./report.ts";
export { reportText } from "./report_text.ts";
