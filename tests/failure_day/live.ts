import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { Leases } from "../../src/types/mod.ts";
import {
  ApiServer,
  SeededRandom,
  type ServerState,
  type StartActorsOptions,
  VirtualClock,
} from "../../src/testing/mod.ts";
import { Day, Stopped } from "./day.ts";
import type { Row } from "./row.ts";
import { UnhandledRejections } from "./unhandled.ts";

/** How a subject has ended. */
export type End =
  | { readonly is: "resolved"; readonly value: unknown }
  | { readonly is: "rejected"; readonly error: unknown }
  | { readonly is: "pending" };

/** The observations of a day. */
export interface Outcome {
  readonly end: End;
  /** Whether a subject that runs has done its work before it was stopped. */
  readonly wasDone: boolean;
  /** When the subject has ended, in milliseconds since the start of the day. */
  readonly endedMs: number;
  /** The timers, connections, listeners and leases that are still open after the end. */
  readonly left: readonly string[];
  /** The lines of the levels `warn` and `error`. */
  readonly lines: readonly string[];
  /** All lines except those of the level `debug`. */
  readonly allLines: readonly string[];
  readonly unhandled: readonly unknown[];
  readonly steps: number;
  readonly requests: readonly string[];
  /** The user functions that were called. */
  readonly called: ReadonlySet<string>;
  /** The error of `row.normal`; undefined if the day has gone well. */
  readonly abnormal: unknown;
}

/** The disturbance of a day by a column. */
export interface Trouble {
  /** Called before the subject starts. */
  readonly begin?: (day: Day) => void;
  /** Replaces `row.start`. */
  readonly start?: (day: Day) => Promise<unknown>;
  /** How long the subject may take, in milliseconds. Default: the limit of the row. */
  readonly limitMs?: number;
  /** The controllers of the cluster that run. Default: the controllers of the row. */
  readonly actors?: StartActorsOptions;
  /** How long the subject may take to stop, in milliseconds. Default: as the row says. */
  readonly stopMs?: number;
  /** The state of the server. Default: that of the row. */
  readonly state?: ServerState | undefined;
  /** Called after the subject has ended. */
  readonly end?: (day: Day) => void;
}

const FRESH = freshState();
const states = new WeakMap<Row, ServerState>();

function freshState(): ServerState {
  const server = new ApiServer({
    clock: new VirtualClock(),
    random: new SeededRandom(1),
    logger: silentLogger,
  });
  return server.state();
}

/** Returns the state of the server that a row begins with. */
async function stateOf(row: Row): Promise<ServerState> {
  const known = states.get(row);
  if (known !== undefined) return known;
  if (row.prepare === undefined) return FRESH;
  const clock = new VirtualClock();
  await using server = new ApiServer({
    clock,
    random: new SeededRandom(2),
    logger: silentLogger,
    state: FRESH,
  });
  await using client = new Client({ ...server.clientOptions, logger: silentLogger });
  await clock.run(row.prepare(client, server));
  const state = server.state();
  states.set(row, state);
  return state;
}

/** Lives through one day of a row. */
export async function live(row: Row, trouble: Trouble = {}): Promise<Outcome> {
  const state = trouble.state ?? await stateOf(row);
  using unhandled = new UnhandledRejections();
  await using day = new Day({
    state,
    programs: row.programs,
    client: row.client,
    actors: trouble.actors ?? row.actors,
  });
  const { limitMs = row.limitMs ?? 100_000, start = row.start } = trouble;
  trouble.begin?.(day);
  let end: End = { is: "pending" };
  let endedMs = 0;
  const work = attempt(() => start(day)).then(
    (value) => void (end = { is: "resolved", value }, endedMs = day.time.now()),
    (error) => void (end = { is: "rejected", error }, endedMs = day.time.now()),
  );
  let wasDone = true;
  if (row.isDone !== undefined) {
    const isDone = () => row.isDone?.(day) === true;
    await day.until(isDone, work, limitMs);
    wasDone = isDone();
    day.stop.abort(new Stopped("stop"));
    await day.settles(work, trouble.stopMs ?? row.stopMs ?? 0);
  } else {
    await day.settles(work, limitMs);
  }
  await day.time.settle();
  const ended = end as End;
  let abnormal: unknown;
  try {
    if (ended.is === "resolved") row.normal?.(day, ended.value);
  } catch (error) {
    abnormal = error;
  }
  trouble.end?.(day);
  const left = ended.is === "pending" ? [] : leftOpen(day);
  if (ended.is === "pending") {
    day.stop.abort(new Stopped("too late"));
    await day.settles(work, 120_000);
    if ((end as End).is === "pending") left.push("the subject does not end even if it is stopped");
  }
  await day.settles(day.closeClients(), 1_000);
  await day.time.settle();
  for (const one of leftOpen(day)) if (!left.includes(one)) left.push(`${one}, even after close()`);
  return {
    end: ended,
    wasDone,
    endedMs,
    left,
    lines: day.log.lines.filter((line) => /^(?:warn|error) /.test(line)),
    allLines: day.log.lines,
    unhandled: unhandled.reasons,
    steps: day.steps,
    requests: day.wire.requests,
    called: day.called,
    abnormal,
  };
}

/** Returns what the program has not closed. */
function leftOpen(day: Day): string[] {
  const left = [...day.clock.pending, ...day.wire.open];
  if (day.stop.listeners > 0) left.push(`${day.stop.listeners} listeners of the signal`);
  for (const { metadata, spec } of day.server.objects(Leases)) {
    if (spec?.holderIdentity) left.push(`the lease ${metadata?.name} of ${spec.holderIdentity}`);
  }
  return left;
}

async function attempt(start: () => Promise<unknown>): Promise<unknown> {
  return await start();
}
