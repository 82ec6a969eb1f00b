/**
 * Lists that are too large for one answer, read page by page.
 *
 * @module
 */

export * from "./list_pager.ts";
