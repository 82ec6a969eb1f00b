/**
 * Objects as the tables that the server makes of them, with the columns of `kubectl get`.
 *
 * @module
 */

export {
  type Column,
  eachTablePage,
  type TablePage,
  tablePageOf,
  type TableRow,
} from "./table_page.ts";
export { type Row, tableListerWatcher } from "./table_lister_watcher.ts";
