import type { ApiServer, PodProgram, StartActorsOptions } from "../../src/testing/mod.ts";
import type { Client, ClientOptions } from "../../src/client/mod.ts";
import type { Resource } from "../../src/types/mod.ts";
import type { Day } from "./day.ts";

/** The columns: what goes wrong. */
export const COLUMNS = [
  "abort",
  "close",
  "silence",
  "half",
  "bytes",
  "503",
  "410",
  "hostile",
  "recreated",
  "rights",
  "field",
  "function",
  "again",
  "forgotten",
  "clock",
] as const;

/** A column of the table. */
export type ColumnName = typeof COLUMNS[number];

/** An object of the row, which a column can delete and create again. */
export interface RowObject {
  readonly resource: Resource;
  readonly name: string;
  /** Default: the namespace of the day; empty for a resource without namespaces. */
  readonly namespace?: string;
}

/** The garbage collector alone. */
export const GARBAGE_COLLECTOR: StartActorsOptions = {
  nodes: 0,
  scheduler: false,
  namespaceController: false,
  nodeController: false,
  workloads: false,
};

/** A row of the table: a part of the library, and how to run it. */
export interface Row {
  /** The subject in a few words. */
  readonly name: string;
  /** The public names that it covers, as `surface.ts` lists them. */
  readonly covers: readonly string[];
  /** Creates what the server has before. */
  readonly prepare?: (client: Client, server: ApiServer) => Promise<void>;
  readonly programs?: readonly PodProgram[];
  /** The controllers of the cluster that run. Default: none. */
  readonly actors?: StartActorsOptions;
  /** Options of the client of the program. */
  readonly client?: (day: Day) => Partial<ClientOptions>;
  /** Starts the subject, and resolves when it has ended. */
  readonly start: (day: Day) => Promise<unknown>;
  /** For a subject that runs until it is stopped: whether it has done its work. */
  readonly isDone?: (day: Day) => boolean;
  /**
   * Throws unless the day has gone well, whatever the column. Checks the result of a subject that ends, or the work of a
   * subject that runs until it is stopped, which may have needed several tries.
   */
  readonly normal?: (day: Day, result: unknown) => void;
  /**
   * Returns what the subject has written, for the column "field": `day.version` 1 of the program writes a field that version 2
   * does not know. UIDs, versions, times and managers of fields do not count.
   */
  readonly written?: (day: Day) => unknown;
  /** How long it may take until it has failed or worked, in milliseconds. Default 100,000: a lost answer takes 90 s. */
  readonly limitMs?: number;
  /** How long it may take to stop after an abort, in milliseconds. Default 0. */
  readonly stopMs?: number;
  /** How long it may take until it notices that the client is closed, in milliseconds. Default: `stopMs`. */
  readonly noticesMs?: number;
  /**
   * The user functions that are called one after the other, so that the others wait for a promise of one; and that a stop waits
   * for, as what they do is not over. Then a line of the log names them after a while.
   */
  readonly inOrder?: readonly string[];
  /** The pattern of the line about a function in `inOrder` that a stop waits for. Default: that it has not ended. */
  readonly waits?: RegExp;
  /** The user functions that end the subject when they fail: they are what it runs. */
  readonly ending?: readonly string[];
  /** Makes something fail, so that the functions for failures are called: for the column "function". */
  readonly provoke?: (day: Day) => void;
  /** The object that the column "recreated" creates again. */
  readonly object?: RowObject;
  /** The columns that do not apply, with the reason. */
  readonly not?: Partial<Record<ColumnName, string>>;
}
