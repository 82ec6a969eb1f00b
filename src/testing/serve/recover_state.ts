import { parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { KubeObject, Stored } from "@kubeloop/controller/types";
import { closeSync, constants, ftruncateSync, openSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { ServerState } from "../api_server/mod.ts";
import { LOG_BYTES_MAX } from "./log_file.ts";
import { decodeRecords, type LogContent, type LoggedWrite, type LogRecord } from "./log_records.ts";
import { NO_FOLLOW, readBytes } from "./read_file.ts";
import { damaged, readState } from "./state_file.ts";

/** The content of the files of a saved state. */
export interface Recovered {
  /** The state; undefined if nothing was saved yet. */
  readonly state: ServerState | undefined;
  /** The numbers of the oldest and the last file of the log. Without any, `last` is less than `oldest`. */
  readonly oldest: number;
  readonly last: number;
}

/** Returns the path of a file of the log. */
export function logPath(path: string, number: number): string {
  return `${path}.log-${number}`;
}

/**
 * Reads the snapshot and the log. Removes what a crash has left: the rest of a record that was not written to its end,
 * and files of the log that the snapshot replaces.
 *
 * If the last server did not end properly, the state continues after every resource version that it can have used.
 *
 * @throws {SyntaxError} If a file is damaged or missing. Nothing is changed then.
 */
export async function recoverState(path: string): Promise<Recovered> {
  const snapshot = await readState(path);
  const numbers = await logNumbers(path);
  const first = snapshot === undefined ? numbers[0] : snapshot.log;
  const replaced = numbers.filter((number) => first === undefined || number < first);
  const current = numbers.filter((number) => !replaced.includes(number));
  const contents: LogContent[] = [];
  for (const [index, number] of current.entries()) {
    if (number !== first! + index) throw missing(path, first! + index);
    contents.push(await readLog(logPath(path, number), index === current.length - 1));
  }
  if (snapshot !== undefined && first !== undefined && current.length === 0) {
    throw missing(path, first);
  }
  const records = contents.flatMap((content) => content.records);
  if (snapshot === undefined && records.some(isWrite)) {
    throw damaged(path, `it is missing, but ${logPath(path, first!)} has writes that follow it`);
  }
  for (const number of replaced) rmSync(logPath(path, number), { force: true });
  const [last, content] = [current.at(-1), contents.at(-1)];
  if (last !== undefined && content !== undefined) {
    truncate(logPath(path, last), content.length);
  }
  return {
    state: snapshot === undefined ? undefined : replay(snapshot.state, records),
    oldest: current[0] ?? 1,
    last: last ?? 0,
  };
}

/** Returns the state after the writes of `records`. */
export function replay(state: ServerState, records: readonly LogRecord[]): ServerState {
  if (records.length === 0) return state;
  const objects = new Map(state.objects.map((object) => {
    const { metadata } = parseJson(object.text) as Pick<Stored<KubeObject>, "metadata">;
    return [keyOf(object.resource, metadata.namespace, metadata.name), object] as const;
  }));
  let newest = Number(state.resourceVersion);
  for (const record of records) {
    const revision = Number(isWrite(record) ? record.resourceVersion : record.reserved);
    newest = Math.max(newest, revision);
    if (!isWrite(record)) continue;
    const { name, namespace, object, resource } = record;
    const key = keyOf(resource, namespace, name);
    if (object === null) objects.delete(key);
    else objects.set(key, { resource, text: stringifyJson(object) });
  }
  return { resourceVersion: String(newest), objects: [...objects.values()] };
}

function isWrite(record: LogRecord): record is LoggedWrite {
  return "resource" in record;
}

function keyOf(resource: string, namespace: string | undefined, name: string): string {
  return `${resource}/${namespace ?? ""}/${name}`;
}

/** Returns the numbers of the files of the log, in order. */
async function logNumbers(path: string): Promise<number[]> {
  const prefix = `${basename(path)}.log-`;
  return (await readdir(dirname(path)))
    .filter((name) =>
      name.startsWith(prefix) && /^[1-9][0-9]{0,14}$/.test(name.slice(prefix.length))
    )
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

function truncate(path: string, length: number): void {
  const file = openSync(path, constants.O_RDWR | NO_FOLLOW);
  try {
    ftruncateSync(file, length);
  } finally {
    closeSync(file);
  }
}

async function readLog(path: string, isLast: boolean): Promise<LogContent> {
  const bytes = await readBytes(path, LOG_BYTES_MAX) ?? new Uint8Array();
  const content = decodeRecords(bytes);
  if (content.damaged && content.records.length === 0) throw noLog(path);
  if (content.damaged || (!isLast && content.length < bytes.length)) {
    throw damaged(path, `the record at byte ${content.length} is damaged`, {
      remedy: `restore it, or cut it there (truncate -s ${content.length} ${path}), which loses ` +
        `the writes from there on`,
    });
  }
  const [first] = content.records;
  if (first !== undefined && (isWrite(first) || first.kind !== "KubeloopLog")) {
    throw noLog(path);
  }
  if (first !== undefined && !isWrite(first) && first.version !== 1) {
    throw damaged(path, `version ${first.version} is not supported, only version 1`);
  }
  return content;
}

function noLog(path: string): SyntaxError {
  return damaged(path, "the file is not the log of a saved state");
}

function missing(path: string, number: number): SyntaxError {
  return damaged(path, `its log ${logPath(path, number)} is missing`, {
    remedy:
      `restore that, or remove "log" from the first line of ${path}, which loses the writes ` +
      `since the snapshot`,
  });
}
