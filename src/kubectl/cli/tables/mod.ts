/**
 * Requests objects as tables of the server, with the columns of `kubectl get`.
 *
 * @module
 */

export { type Column, eachTablePage, type TablePage, type TableRow } from "./table_page.ts";
export { type Row, tableListerWatcher } from "./table_lister_watcher.ts";
