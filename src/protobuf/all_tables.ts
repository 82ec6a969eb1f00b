/**
 * All tables of messages, loaded at once. A program that runs on a virtual clock imports this file, because it cannot wait
 * for the table of a kind.
 *
 * @module
 */

import { addTables } from "./load_table.ts";
import { ALL_TABLES } from "./tables/all.ts";

addTables(ALL_TABLES);
