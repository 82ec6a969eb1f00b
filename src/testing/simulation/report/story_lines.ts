import type { Cause } from "./cause.ts";
import type { Act, Chronicle, Sighting, Version } from "./chronicle.ts";
import { isCompared, type Moment } from "../record/mod.ts";
import type { Wrong } from "../judge/mod.ts";
import {
  actName,
  contentOf,
  describeStale,
  describeVersion,
  lifeName,
  plainName,
  timeOf,
  verbOf,
  writerName,
} from "./words.ts";

/** The kind of a line of a story. */
export type StoryKind =
  | "step"
  | "fault"
  | "process"
  | "write"
  | "refused"
  | "call"
  | "seen"
  | "log"
  | "wrong";

/** One line of a story. */
export interface StoryLine {
  /** The virtual time, in milliseconds. */
  readonly atMs: number;
  /** The kind of the line. */
  readonly kind: StoryKind;
  /** The actor, such as `user` or a process with its life; empty for faults and errors. */
  readonly who: string;
  /** The event in words. */
  readonly text: string;
  /** The process; undefined if the actor is not a process. */
  readonly process?: string | undefined;
  /** The versions that were written, or that was seen. */
  readonly versions?: readonly number[] | undefined;
  /** The reason why the line matters, such as `the wrong write`. */
  readonly mark?: string | undefined;
  /** The stale knowledge of the process. */
  readonly knew?: string | undefined;
  /** The number of further events like this one. */
  readonly more?: number | undefined;
  /** Lines with the same key are alike. */
  readonly key: string;
  /** Whether the line is about an object that matters. */
  readonly isFocus: boolean;
}

/** A line with its place in the run. */
export interface ToldLine extends StoryLine {
  /** The index of its moment. A line about what has no moment is between two. */
  readonly at: number;
  /** The write or the call that it is about. */
  readonly act?: Act | undefined;
  /** The version that was written. */
  readonly version?: Version | undefined;
}

/** The maximum length of a line, in characters. */
const MAX_TEXT = 240;
/** The maximum number of objects that one line names. */
const MAX_NAMES = 4;

/** Returns the lines of a story, up to the first error. */
export function storyLines(cause: Cause): ToldLine[] {
  const { run, untilAt } = cause;
  const lines = new Lines(cause);
  const sightings = Map.groupBy(run.sightings, ({ at }) => at);
  // A repeated call is between two moments.
  const repeats = run.acts.filter(({ at }) => !Number.isInteger(at));
  const acts = new Map(run.acts.map((act) => [act.at, act]));
  const bySent = new Map(run.acts.flatMap((act) => act.write ? [[act.write, act] as const] : []));
  const versions = new Map(run.versions.map((version) => [version.at, version]));
  for (const [at, moment] of run.moments.slice(0, untilAt + 1).entries()) {
    for (; repeats[0] !== undefined && repeats[0].at < at; repeats.shift()) lines.call(repeats[0]);
    if (moment.kind === "committed") lines.version(versions.get(at)!);
    else if (moment.kind === "cloud") lines.call(acts.get(at)!);
    else if (moment.kind === "answered") lines.answer(at, moment.atMs, bySent.get(moment.write)!);
    else if (moment.kind === "sent") lines.sent(acts.get(at)!);
    else if (moment.kind === "seen" || moment.kind === "read") {
      for (const sighting of sightings.get(at) ?? []) lines.sighting(sighting);
    } else lines.plain(at, moment);
  }
  return mergeNames(lines.done(cause.wrong));
}

/** The maximum number of different log lines that are shown after the last write. */
const SHOWN_LOGS = 3;
/** The log line of an idle informer. */
const IDLE = /dropped the watch/;

class Lines {
  readonly #cause: Cause;
  readonly #run: Chronicle;
  readonly #lines: ToldLine[] = [];
  readonly #logs = new Map<string, number>();
  /** The last text about the knowledge of each process. */
  readonly #said = new Map<string, string>();

  constructor(cause: Cause) {
    this.#cause = cause;
    this.#run = cause.run;
  }

  /** Returns the lines. The last one is the error. */
  done(wrong: Wrong | undefined): ToldLine[] {
    const lines = this.#lines;
    const at = this.#cause.untilAt;
    const [end] = lines.at(-1)?.kind === "wrong" ? lines.splice(-1) : [];
    // After the last write, most log lines are repetitions.
    const last = lines.findLastIndex(({ kind }) => kind !== "log");
    const logged = lines.splice(last + 1);
    const told = new Map(
      logged.toReversed().map((line) => [line.text.replaceAll(/\d+/g, ""), line]),
    );
    const shown = new Set(
      [...told.values()].reverse().filter(({ text }) => !IDLE.test(text)).slice(0, SHOWN_LOGS),
    );
    const idle = logged.filter((line) => !shown.has(line));
    lines.push(...shown);
    if (idle.length > 0) {
      const count = idle.reduce((sum, { more = 0 }) => sum + 1 + more, 0);
      const { atMs } = idle[0]!;
      const logs = count === 1 ? "line is" : "lines are";
      const text = `${count} more ${logs} logged, and nothing is written`;
      lines.push({ at, atMs, kind: "log", who: "", text, key: text, isFocus: false });
    }
    if (end !== undefined) lines.push(end);
    else if (wrong !== undefined) {
      const { atMs, message } = wrong;
      const text = shorten(message);
      lines.push({ at, atMs, kind: "wrong", who: "", text, key: text, isFocus: true });
    }
    return lines;
  }

  plain(at: number, moment: Moment): void {
    const { atMs } = moment;
    switch (moment.kind) {
      case "step":
        this.#add(at, {
          atMs,
          kind: "step",
          who: "user",
          text: `step ${moment.index + 1}: ${moment.text}`,
        });
        break;
      case "fault":
        this.#add(at, { atMs, kind: "fault", who: "", text: moment.text });
        break;
      case "wrong":
        this.#add(at, { atMs, kind: "wrong", who: "", text: moment.text });
        break;
      case "process": {
        const life = this.#run.lifeAt(moment.process, at);
        const text = moment.text === "starts again" ? `starts again: life ${life}` : moment.text;
        this.#add(at, {
          atMs,
          kind: "process",
          who: lifeName(moment.process, life),
          process: moment.process,
          text: `${moment.process} ${text}`,
        });
        break;
      }
      case "log":
        this.#log(at, atMs, moment.process, moment.text);
        break;
      default:
    }
  }

  /** Adds a log line, or counts it if it was there before. */
  #log(at: number, atMs: number, process: string, text: string): void {
    if (text.includes("this server is too old")) return; // The fallback of an injected replica.
    const key = `${process} ${text.replaceAll(/\d+/g, "0")}`;
    const index = this.#logs.get(key);
    if (index !== undefined) {
      const line = this.#lines[index]!;
      this.#lines[index] = { ...line, more: (line.more ?? 0) + 1 };
      return;
    }
    this.#logs.set(key, this.#lines.length);
    const who = lifeName(process, this.#run.lifeAt(process, at));
    this.#add(at, { atMs, kind: "log", who, process, text: `${who} logs: ${text}` });
  }

  version(version: Version): void {
    if (!isCompared(version.write.resource)) return;
    const { act, at, atMs, number, object, write } = version;
    const generated = write.object().metadata.generateName;
    const who = writerName(version);
    const text = `${describeVersion(version)} → version ${number}`;
    this.#add(at, {
      atMs,
      kind: "write",
      who,
      process: act?.process,
      versions: [number],
      text,
      key: `${who} ${verbOf(version)} ${
        generated === undefined ? object : `${write.resource} ${write.namespace}/${generated}*`
      } ${contentOf(version).replaceAll(/\d+/g, "0")}`,
      knew: act && this.#knew(act),
      isFocus: this.#cause.focus.has(object),
      act,
      version,
    });
  }

  call(act: Act): void {
    const who = lifeName(act.process, act.life);
    this.#add(act.at, {
      atMs: act.atMs,
      kind: "call",
      who,
      process: act.process,
      text: `${who} ${actName(act)}`,
      more: act.more === 0 ? undefined : act.more,
      knew: this.#knew(act),
      act,
    });
  }

  sent(act: Act): void {
    const { at, atMs, life, process, write } = act;
    if (write === undefined || write.injected === undefined || write.status !== 0) return;
    const who = lifeName(process, life);
    const text = `${who}: [${write.id}]: ${write.injected}`;
    this.#add(at, { atMs, kind: "refused", who, process, text, act });
  }

  answer(at: number, atMs: number, act: Act): void {
    const { status } = act.write!;
    if (status < 400) return;
    const who = lifeName(act.process, act.life);
    this.#add(this.#cause.marks.has(act.at) ? act.at : at, {
      atMs,
      kind: "refused",
      who,
      process: act.process,
      text: `${who}: ${actName(act)} is answered with ${status}`,
      knew: this.#knew(act),
      act,
    });
  }

  /** Adds a version that was seen late, or after others that were never seen. */
  sighting({ atMs, at, behind, isRead, lateMs, life, process, skipped, version }: Sighting): void {
    if (!isCompared(version.write.resource)) return;
    // The process's own writes come back one after another.
    const isBehind = behind !== undefined && (behind.by !== process || behind.atMs < atMs);
    const hidden = skipped.filter(({ by }) => by !== process);
    if (lateMs === 0 && !isBehind && hidden.length === 0) return;
    const who = lifeName(process, life);
    const name = plainName(version.object);
    const notes = [
      ...(lateMs > 0 ? [`${timeOf(lateMs)} late`] : []),
      ...(isBehind ? [`while version ${behind.number} is the newest`] : []),
      ...hidden.slice(0, MAX_NAMES).map((skipped) => {
        const content = contentOf(skipped);
        return `never sees version ${skipped.number}${content === "" ? "" : ` (${content})`}`;
      }),
    ];
    const content = version.write.type === "DELETED" ? "its deletion" : contentOf(version);
    this.#add(at, {
      atMs,
      kind: "seen",
      who,
      process,
      versions: [version.number],
      text: `${who} ${isRead ? "reads" : "sees"} ${name} version ${version.number}${
        content === "" ? "" : ` (${content})`
      }: ${notes.join(", ")}`,
      isFocus: this.#cause.focus.has(version.object),
    });
  }

  #knew(act: Act): string | undefined {
    const at = act.version?.at ?? act.at;
    // Own writes are on their way after each write: that matters only where something goes wrong.
    const [first] = act.stale.filter(({ isOwn, object }) =>
      this.#cause.focus.has(object) && (!isOwn || this.#cause.marks.has(at))
    );
    if (first === undefined) return undefined;
    const who = lifeName(act.process, act.life);
    const text = `${who} ${describeStale({ ...first, place: undefined })}`;
    if (this.#said.get(who) === text) return undefined;
    this.#said.set(who, text);
    return shorten(text);
  }

  #add(
    at: number,
    line: Omit<ToldLine, "at" | "key" | "isFocus"> & { key?: string; isFocus?: boolean },
  ): void {
    const text = shorten(line.text);
    this.#lines.push({
      isFocus: line.kind !== "log" && line.kind !== "seen",
      ...line,
      at,
      text,
      key: `${line.kind} ${line.who} ${line.key ?? alike(text)}`,
      mark: this.#cause.marks.get(at),
    });
  }
}

/** Returns a text without the numbers in which repeated lines differ. */
function alike(text: string): string {
  return text.replaceAll(/(?:#|retry |version )\d+/g, "#");
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

/** Splits a line about one write: verb and kind, the name, the change, and the version. */
function partsOfWrite(
  text: string,
): { head: string; name: string; tail: string; version: string } | undefined {
  const arrow = text.lastIndexOf(" → version ");
  if (arrow < 0) return undefined;
  const version = text.slice(arrow + " → version ".length);
  // The number of a life is in brackets too, as in `operator (life 2) creates …`.
  const [life = ""] = /^.* \(life \d+\)/.exec(text) ?? [];
  const bracket = text.indexOf(" (", life.length);
  const end = bracket < 0 ? arrow : bracket;
  const space = text.lastIndexOf(" ", end - 1);
  return {
    head: text.slice(0, space),
    name: text.slice(space + 1, end),
    tail: text.slice(end, arrow),
    version,
  };
}

/** Merges lines of writes that differ only in the name of their object. */
function mergeNames(lines: readonly ToldLine[]): ToldLine[] {
  const out: ToldLine[] = [];
  let last: string | undefined;
  let names: string[] = [];
  let first: string | undefined;
  for (const line of lines) {
    const parts = line.kind === "write" ? partsOfWrite(line.text) : undefined;
    const previous = out.at(-1);
    const key = parts && `${line.atMs} ${parts.head}${parts.tail}`;
    const isNext = parts !== undefined && key === last && !line.mark && !previous?.mark &&
      !line.knew && !names.includes(parts.name);
    if (!isNext) {
      last = key;
      names = parts === undefined ? [] : [parts.name];
      first = parts?.version;
      out.push(line);
      continue;
    }
    names.push(parts.name);
    const more = names.length - MAX_NAMES;
    const shown = more > 0
      ? `${names.slice(0, MAX_NAMES).join(", ")} and ${more} more`
      : names.join(", ");
    const text = `${parts.head} ${shown}${parts.tail} → versions ${first} to ${parts.version}`;
    const versions = [...previous!.versions ?? [], ...line.versions ?? []];
    out[out.length - 1] = { ...previous!, text, versions };
  }
  return out;
}
