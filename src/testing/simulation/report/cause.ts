import { parseJson, showJson } from "@kubeloop/controller/internal/base";
import { type Act, Chronicle, type Stale, type Version } from "./chronicle.ts";
import { describeBoth, type Ways, waysOf } from "./both_ways.ts";
import { divergenceOf } from "./divergence.ts";
import {
  compareStates,
  type Difference,
  type RunRecord,
  seriousDifferences,
  type Tolerance,
  type Wrong,
} from "../judge/mod.ts";
import { FOREIGN_MARK, keyOf } from "../record/mod.ts";
import { shortValue } from "./object_diff.ts";
import { isCreate, setterOf } from "./setter.ts";
import {
  actName,
  describeStale,
  describeVersion,
  lifeName,
  plainName,
  timeOf,
  writerName,
} from "./words.ts";

/** A run that ended wrong, and the run that it is compared with. */
export interface Compared {
  /** The run that ended wrong. */
  readonly record: RunRecord;
  /** The run with the expected end state; undefined if the run without faults is itself wrong. */
  readonly expected: RunRecord | undefined;
  /** The differences that are not errors. */
  readonly tolerance?: Tolerance | undefined;
}

/** Why a run ended wrong. */
export interface Cause {
  readonly run: Chronicle;
  /** The first error. */
  readonly wrong: Wrong | undefined;
  /** The index of the last moment that matters. */
  readonly untilAt: number;
  /** Why a moment matters, by its index: a wrong write, or the last write before a missing one. */
  readonly marks: ReadonlyMap<number, string>;
  /** The objects that the story is about. */
  readonly focus: ReadonlySet<string>;
  /** The cause in words, one sentence each. */
  readonly sentences: readonly string[];
  /** The other run, if either may be right, and the conditions of both. */
  readonly other?: (Ways & { readonly cause: Cause }) | undefined;
}

/** The maximum number of objects and fields that are explained. */
const MAX_EXPLAINED = 3;
const WRONG = "the wrong write";

/** Finds out why a run ended wrong. */
export function causeOf(compared: Compared): Cause {
  return new Explanation(compared).cause();
}

class Explanation {
  readonly #record: RunRecord;
  readonly #expected: RunRecord | undefined;
  readonly #tolerance: Tolerance | undefined;
  readonly #run: Chronicle;
  readonly #reference: Chronicle | undefined;
  readonly #marks = new Map<number, string>();
  readonly #focus = new Set<string>();
  readonly #sentences: string[] = [];
  #neverSeen = 0;
  #isMissingTold = false;
  #untilAt: number | undefined;
  #firstExtra: Act | undefined;
  #ways: Ways | undefined;
  readonly #blamed = new Set<Act>();

  constructor({ expected, record, tolerance }: Compared) {
    this.#record = record;
    this.#expected = expected;
    this.#tolerance = tolerance;
    this.#run = new Chronicle(record);
    if (expected !== undefined) this.#reference = new Chronicle(expected);
  }

  cause(): Cause {
    const { moments } = this.#run;
    const wrong = firstOf(this.#record.wrong);
    const at = moments.findIndex((moment) =>
      moment.kind === "wrong" && moment.text === wrong?.message
    );
    const untilAt = at < 0 ? moments.length - 1 : at;
    if (wrong !== undefined) this.#explain(wrong, untilAt);
    return {
      run: this.#run,
      wrong,
      untilAt: this.#untilAt ?? untilAt,
      marks: this.#marks,
      focus: this.#focus,
      sentences: [...new Set(this.#sentences)],
      ...(this.#ways && { other: { ...this.#ways, cause: this.#otherCause() } }),
    };
  }

  /** Returns the story of the run without faults, up to its end. */
  #otherCause(): Cause {
    const run = this.#reference!;
    return {
      run,
      wrong: undefined,
      untilAt: run.moments.length - 1,
      marks: new Map(),
      focus: this.#focus,
      sentences: [],
    };
  }

  #explain({ oracle }: Wrong, at: number): void {
    this.#faults();
    // The sentences follow the order of events.
    if (oracle !== "end state") this.#divergence(at);
    switch (oracle) {
      case "end state":
        this.#endState();
        break;
      case "lost entry":
        this.#lostEntry();
        break;
      case "invariant":
      case "stale delete":
      case "hot loop":
      case "restart":
        this.#lastThing(at);
        break;
      case "liveness":
      case "workload":
      case "process":
        if (!this.#heldDeletion()) this.#refusals(at);
        break;
    }
    if (oracle === "end state") this.#divergence(at);
  }

  /** Explains the effects of the faults on the processes. */
  #faults(): void {
    for (const fault of this.#record.plan.faults) {
      if (fault.fault !== "crash") continue;
      const { acts } = this.#run;
      const index = acts.findIndex(({ id }) => id === fault.write);
      const act = acts[index];
      if (act === undefined) continue;
      const before = acts.slice(0, index).findLast(({ life, process, version, write }) =>
        process === act.process && life === act.life && (write === undefined || version)
      );
      const after = before === undefined ? "" : ` after [${actName(before)}],`;
      this.#say(
        fault.when === "before"
          ? `${lifeName(act.process, act.life)} was killed at ${
            timeOf(act.atMs)
          },${after} before it sent [${actName(act)}]${said(act)}.`
          : `${lifeName(act.process, act.life)} was killed at ${timeOf(act.atMs)}, after [${
            actName(act)
          }] was done and before it knew.`,
      );
    }
    for (const { life, process, skipped } of this.#run.sightings) {
      for (const version of skipped.filter(({ by }) => by !== process)) {
        if (this.#neverSeen++ >= MAX_EXPLAINED) return;
        this.#focus.add(version.object);
        this.#say(
          `${lifeName(process, life)} never saw version ${version.number} of ${
            plainName(version.object)
          }: ${describeVersion(version)}, at ${timeOf(version.atMs)}.`,
        );
      }
    }
  }

  /** The wrong write is the last one before the moment at which it was noticed. */
  #lastThing(at: number): void {
    const act = this.#run.acts.findLast((act) => {
      const { version, write } = act;
      if (act.at > at) return false;
      return write === undefined || (version !== undefined && version.at < at);
    });
    const version = this.#run.versions.findLast((version) => version.at < at);
    if (version !== undefined && version.act === undefined && version.at > (act?.at ?? -1)) {
      this.#mark(version.at, "here it showed");
      this.#focus.add(version.object);
      this.#say(`It showed when ${describeVersion(version)} (version ${version.number}).`);
    }
    if (act !== undefined) this.#blame(act);
  }

  #blame(act: Act): void {
    if (this.#blamed.has(act)) return;
    this.#blamed.add(act);
    const kind = act.write === undefined ? "call" : "write";
    const isLater = this.#firstExtra !== undefined && this.#firstExtra.at < act.at;
    this.#mark(act.version?.at ?? act.at, isLater ? "here it showed" : `the wrong ${kind}`);
    const who = lifeName(act.process, act.life);
    const what = act.version === undefined
      ? `${who}: [${actName(act)}]`
      : `${describeVersion(act.version)}: version ${act.version.number}`;
    this.#say(
      `${isLater ? "It showed" : `The wrong ${kind}`}, at ${timeOf(act.atMs)}: ${what}.${
        sentFrom(act)
      }`,
    );
    if (act.version !== undefined) this.#focus.add(act.version.object);
    this.#knowledge(who, act);
  }

  /** Says what a process knew wrong when it did something. */
  #knowledge(who: string, { atMs, life, place, stale, version }: Act): void {
    const related = relevant(stale, version);
    for (const one of related.slice(0, MAX_EXPLAINED)) {
      this.#focus.add(one.object);
      // A handler is given its object, so that no line reads it.
      const near = one.place === undefined && !one.isOwn && place !== undefined
        ? ` No line was seen that read it; what acted on it is ${place.split(", from ").at(-1)}.`
        : "";
      this.#say(`${who} ${describeStale(one)}.${near}`);
    }
    if (related.length > MAX_EXPLAINED) {
      const more = related.length - MAX_EXPLAINED;
      const were = more === 1 ? "object was not as" : "objects were not as";
      this.#say(`${more} more ${were} ${who} knew ${more === 1 ? "it" : "them"}.`);
    }
    if (related.length > 0) return;
    this.#say(
      `${who} had received the newest version of every object that it watches at ${timeOf(atMs)}${
        life === 1
          ? "."
          : `; what its earlier ${life === 2 ? "life" : "lives"} had in memory alone was lost.`
      }`,
    );
  }

  /** Explains which write has removed an entry of another client. */
  #lostEntry(): void {
    const version = this.#run.versions.find(({ write }) => {
      const previous = write.previous();
      return write.type === "MODIFIED" && previous !== undefined &&
        showJson(previous.metadata).includes(FOREIGN_MARK) &&
        !showJson(write.object().metadata).includes(FOREIGN_MARK);
    });
    if (version === undefined) return;
    this.#untilAt = version.at;
    if (version.act !== undefined) this.#blame(version.act);
  }

  /** Explains a deletion that a process never lets end. Returns false if the run has none. */
  #heldDeletion(): boolean {
    const [undone] = this.#record.undone;
    if (undone?.oracle !== "liveness" || undone.object === undefined) return false;
    const deleted = this.#run.versionsOf(undone.object).find(({ write }) =>
      write.object().metadata.deletionTimestamp !== undefined
    );
    if (deleted === undefined) return false;
    this.#focus.add(undone.object);
    this.#mark(deleted.at, "this deletion never ends");
    this.#say(`${describeVersion(deleted)} at ${timeOf(deleted.atMs)}.`);
    const name = plainName(undone.object);
    const { process } = undone;
    const read = this.#run.lastRead(process, deleted);
    if (read?.version !== undefined && read.version.number >= deleted.number) {
      this.#say(`${process} read version ${read.version.number} of ${name} at ${read.place}.`);
    }
    const problem = this.#run.moments.findLast((moment) =>
      moment.kind === "log" && moment.isProblem && moment.process === process
    );
    if (problem?.kind === "log") {
      this.#say(`${process} logs at ${timeOf(problem.atMs)}: ${problem.text}`);
    }
    return true;
  }

  /** Explains what keeps the run from its end. */
  #refusals(at: number): void {
    const failed = this.#run.acts.findLast(({ at: sentAt, write }) =>
      sentAt < at && write !== undefined && write.status >= 400
    );
    if (failed === undefined) return this.#lastThing(at);
    this.#mark(failed.at, "the last write that was refused");
    const { name, namespace, resource, status } = failed.write!;
    this.#focus.add(`${resource} ${keyOf(namespace, name)}`);
    const who = lifeName(failed.process, failed.life);
    this.#say(
      `The last write that was refused, at ${timeOf(failed.atMs)}: ${who}: [${
        actName(failed)
      }], with ${status}.${sentFrom(failed)}`,
    );
    this.#knowledge(who, failed);
  }

  #endState(): void {
    if (this.#expected === undefined) return;
    const { state } = this.#record;
    const all = compareStates(this.#expected.state, state);
    const differences = this.#tolerance === undefined
      ? all
      : seriousDifferences(all, state, this.#tolerance);
    const [run, reference] = [this.#run, this.#reference!];
    this.#ways = waysOf(this.#record.plan, run, reference, differences);
    if (this.#ways !== undefined) {
      this.#say(
        `The outcome depends on ${this.#ways.decides}. Which outcome is right, the simulation cannot know.`,
      );
      for (const difference of differences.slice(0, MAX_EXPLAINED)) {
        this.#focus.add(difference.object);
        for (const sentence of describeBoth(difference, this.#ways, run, reference)) {
          this.#say(sentence);
        }
      }
      this.#notCarriedOut();
      return;
    }
    const seen = new Set<string>();
    for (const difference of differences) {
      if (seen.size >= MAX_EXPLAINED) break;
      if (seen.has(difference.object)) continue;
      seen.add(difference.object);
      this.#focus.add(difference.object);
      if (this.#record.changed?.isEnd) this.#afterChange(difference, this.#record.changed.object);
      else if (difference.field === "") this.#existence(difference);
      else this.#field(difference);
    }
  }

  /** Names the last change of a user, if the processes do nothing about it that they have not done before. */
  #notCarriedOut(): void {
    const { acts, versions } = this.#reference!;
    const isOfSteps = this.#record.plan.faults.some(({ fault }) => fault === "shortcut");
    const wish = versions.findLast(({ by }) => by === "user");
    if (!isOfSteps || wish === undefined || wish.write.type !== "MODIFIED") return;
    const isFollowed = acts.some(({ at, version, write }) =>
      at > wish.at && (write === undefined ? Number.isInteger(at) : version !== undefined)
    );
    if (isFollowed) return;
    this.#say(
      `After the steps of the workload, no process writes or calls anything new once ${
        describeVersion(wish)
      } at ${timeOf(wish.atMs)}: that change is not carried out.`,
    );
  }

  /** Explains a difference from the objects that follow from a new object with the changed properties. */
  #afterChange({ actual, expected, field, object }: Difference, changed: string): void {
    const [is, should] = [actual, expected].map((value) =>
      field !== "" ? shortValue(value) : value === undefined ? "absent" : "there"
    );
    this.#say(
      `${plainName(object)}${field === "" ? "" : `: ${field}`} is ${is}. ` +
        `With a new object that has the changed properties, it would be ${should}.`,
    );
    if (this.#isIgnored(object, changed)) return;
    const { act } = this.#run.versionsOf(object).at(-1) ?? {};
    if (act !== undefined) this.#blame(act);
  }

  /** Reports whether an object has no version after the last change of properties, and tells that. */
  #isIgnored(object: string, changed: string): boolean {
    const change = this.#run.versionsOf(changed).findLast(({ by }) => by === "user");
    const last = this.#run.versionsOf(object).at(-1);
    if (change === undefined || (last !== undefined && last.at > change.at)) return false;
    this.#focus.add(changed);
    this.#say(
      `Nobody wrote to ${plainName(object)} after the change of ${plainName(changed)} at ${
        timeOf(change.atMs)
      }.`,
    );
    this.#mark(change.at, "nothing follows from this change");
    return true;
  }

  /** Explains an object that is missing, or one too many. */
  #existence({ actual, object }: Difference): void {
    const last = this.#run.versionsOf(object).at(-1);
    if (actual === undefined) {
      if (last?.write.type === "DELETED") {
        this.#say(
          `${plainName(object)} is missing: nobody created it again after version ${last.number}.`,
        );
        if (last.act !== undefined) this.#blame(last.act);
        else this.#say(`It was deleted at ${timeOf(last.atMs)} by ${last.by}.`);
      } else this.#say(`${plainName(object)} is missing: nobody ever created it.`);
      this.#without(this.#reference?.versionsLike(object).findLast(isCreate), object);
      return;
    }
    const made = this.#run.versionsOf(object).findLast(isCreate);
    if (made === undefined) return;
    this.#say(
      `${plainName(object)} is there: ${writerName(made)} created it at ${timeOf(made.atMs)}.`,
    );
    const deleted = this.#reference?.versionsOf(object).at(-1);
    if (deleted?.write.type === "DELETED") return this.#without(deleted, object);
    if (made.act !== undefined) this.#knowledge(writerName(made), made.act);
    this.#mark(made.at, WRONG);
  }

  /** Explains a field that has another value than expected. */
  #field(difference: Difference): void {
    const { actual, field, object } = difference;
    const what = `${plainName(object)}: ${describeValues(difference)}`;
    const setBy = setterOf(this.#run, object, field);
    const wanted = this.#reference && setterOf(this.#reference, object, field);
    if (setBy === undefined) {
      this.#say(`${what}.`);
      return this.#lastCall();
    }
    const isOnlyMissing = wanted !== undefined &&
      this.#run.versionsOf(object).every((version) => !isLike(version, wanted));
    const isNeverSet = actual === undefined && isCreate(setBy);
    const undone = isOnlyMissing
      ? undefined
      : this.#run.moments.findLast((moment, at) =>
        at > setBy.at && moment.kind === "step" && moment.text.startsWith("take back: ")
      );
    const isCorrected = !isOnlyMissing && this.#isCorrected(setBy);
    const isBlamed = undone === undefined && !isCorrected && !isOnlyMissing;
    this.#say(
      isNeverSet
        ? `${what}. Nobody ever set it.`
        : `${what}. ${writerName(setBy)} made it so at ${
          timeOf(setBy.atMs)
        } (version ${setBy.number}), and nobody changed it afterwards.${
          isBlamed ? "" : sentFrom(setBy.act)
        }`,
    );
    const { changed } = this.#record;
    if (changed !== undefined && this.#isIgnored(object, changed.object)) return;
    if (undone !== undefined) {
      const at = timeOf(undone.atMs);
      this.#say(
        `The step that had asked for it was taken back at ${at}, and that did not change it.`,
      );
      this.#readSince(setBy);
      this.#mark(setBy.at, "nobody took this back");
    } else if (isCorrected) {
      const last = this.#run.versions.findLast(({ by }) => by === "user")!;
      this.#say(
        `It was wanted then. Later, ${describeVersion(last)} at ${
          timeOf(last.atMs)
        }, and that did not change it.`,
      );
      this.#readSince(setBy);
      this.#mark(setBy.at, "nobody changed this afterwards");
    } else if (isOnlyMissing) this.#without(wanted, object);
    else if (setBy.act !== undefined && !isNeverSet) this.#blame(setBy.act);
  }

  /** Names the line that has read the last wish of a user, after which a write is missing. */
  #readSince({ at, by }: Version): void {
    const wish = this.#run.versions.findLast((version) => version.at > at && version.by === "user");
    const read = wish && this.#run.lastRead(by, wish);
    if (read?.version === undefined || read.version.number < wish!.number) return;
    this.#say(
      `${by} read version ${read.version.number} of ${
        plainName(wish!.object)
      } at ${read.place}, and did not change it either.`,
    );
  }

  /** Reports whether a user has corrected a bad step after a version was made. */
  #isCorrected(version: Version): boolean {
    return this.#record.plan.faults.some(({ fault }) => fault === "bad") &&
      this.#run.versions.some(({ at, by }) => at > version.at && by === "user");
  }

  /** Names the last call that has changed the external world, or learned something new of it. */
  #lastCall(): void {
    const call = this.#run.acts.findLast(({ at, write }) =>
      write === undefined && Number.isInteger(at)
    );
    if (call === undefined) return;
    // The divergence tells more about it.
    if (call === this.#extra()) return;
    this.#mark(call.at, "the last new call");
    this.#say(
      `The last new call, at ${timeOf(call.atMs)}: ${lifeName(call.process, call.life)}: [${
        actName(call)
      }].${sentFrom(call)}`,
    );
  }

  /** Returns the first act that the run without faults does not make. */
  #extra(): Act | undefined {
    if (this.#reference === undefined || this.#changesWorkload()) return undefined;
    return divergenceOf(this.#run, this.#reference).extra;
  }

  /** Reports whether the faults change what users do, so that other writes are right. */
  #changesWorkload(): boolean {
    return this.#record.plan.faults.some(({ fault }) => CHANGE_WORKLOAD.has(fault));
  }

  /** Names a write that only the run without faults makes. */
  #without(wanted: Version | undefined, object: string): void {
    if (wanted === undefined) return;
    this.#isMissingTold = true;
    this.#say(
      `Without the faults, ${describeVersion(wanted)} at ${timeOf(wanted.atMs)}.${
        sentFrom(wanted.act)
      }`,
    );
    const lastAt = this.#run.versionsOf(object).at(-1)?.at ?? 0;
    const name = object.replace(/\*\d+$/, "*");
    const tried = this.#run.acts.findLast(({ at, version, write }) =>
      at > lastAt && version === undefined && write !== undefined &&
      `${write.resource} ${keyOf(write.namespace, write.name)}` === name
    );
    const who = wanted.by;
    if (tried?.write === undefined) {
      this.#say(`Here, ${who} never sent that write.`);
    } else {
      const { injected, status } = tried.write;
      this.#say(
        `Here, the last try, [${actName(tried)}] at ${timeOf(tried.atMs)}, ${
          injected?.replace(/^answered/, "was answered") ?? describeStatus(status)
        }.`,
      );
    }
    this.#before(wanted);
  }

  /** Names the write before a missing one. */
  #before({ act }: Version): void {
    const acts = this.#reference?.acts ?? [];
    const index = act === undefined ? -1 : acts.indexOf(act);
    const previous = acts.slice(0, Math.max(index, 0)).findLast(({ process }) =>
      process === act!.process
    );
    const here = previous && this.#run.acts.find(({ id }) => id === previous.id);
    if (here === undefined) return;
    this.#mark(here.version?.at ?? here.at, "after this, a write is missing");
    const { injected } = here.write ?? {};
    this.#say(
      `Without the faults it follows on [${actName(here)}]. Here, that is at ${timeOf(here.atMs)}${
        injected === undefined ? "" : `: ${injected}`
      }.${sentFrom(here)}`,
    );
    if (here.version !== undefined) this.#focus.add(here.version.object);
    for (const one of this.#run.staleAtEnd(act!.process).slice(0, MAX_EXPLAINED)) {
      this.#say(`To the end, ${act!.process} ${describeStale(one)}.`);
    }
  }

  /** Names the first write that differs from the run without faults. */
  #divergence(at: number): void {
    if (this.#reference === undefined || this.#changesWorkload()) return;
    const { extra, missing } = divergenceOf(this.#run, this.#reference);
    if (extra !== undefined && extra.at <= at) {
      const kind = extra.write === undefined ? "call" : "write";
      this.#firstExtra = extra;
      if (this.#blamed.has(extra)) {
        this.#say(`The run without faults does not make that ${kind}.`);
        return;
      }
      this.#blamed.add(extra);
      const who = lifeName(extra.process, extra.life);
      const what = extra.version === undefined
        ? `${who}: [${actName(extra)}]`
        : `${describeVersion(extra.version)}: version ${extra.version.number}`;
      // This write may only follow from the missing one, which has its own sentence.
      const isConsequence = this.#isMissingTold || this.#ways !== undefined;
      this.#say(
        `${
          isConsequence
            ? `The first ${kind} that the run without faults does not make`
            : `The wrong ${kind}`
        }, at ${timeOf(extra.atMs)}: ${what}.${
          isConsequence ? "" : " The run without faults does not make it."
        }${sentFrom(extra)}`,
      );
      if (!isConsequence) this.#mark(extra.version?.at ?? extra.at, `the wrong ${kind}`);
      if (extra.version !== undefined) this.#focus.add(extra.version.object);
      this.#knowledge(who, extra);
    } else if (
      missing !== undefined && !this.#isMissingTold && missing.atMs <= this.#run.moments[at]!.atMs
    ) {
      const what = missing.version === undefined
        ? `[${missing.id}]`
        : describeVersion(missing.version);
      this.#say(
        `The first write that only the run without faults makes, at ${
          timeOf(missing.atMs)
        }: ${what}.`,
      );
    }
  }

  #mark(at: number, text: string): void {
    if (!this.#marks.has(at)) this.#marks.set(at, text);
  }

  #say(sentence: string): void {
    this.#sentences.push(sentence);
  }
}

const CHANGE_WORKLOAD: ReadonlySet<string> = new Set([
  "bad",
  "change",
  "skip",
  "repeat",
  "revert",
  "shortcut",
]);

/** Returns the first error. */
function firstOf(wrong: readonly Wrong[]): Wrong | undefined {
  return wrong.toSorted((a, b) => a.atMs - b.atMs)[0];
}

function describeStatus(status: number): string {
  if (status === 0) return "got no answer";
  return status < 300 ? "changed nothing" : `was answered with ${status}`;
}

/** Names the line that has sent something, if it is known. */
function sentFrom(act: Act | undefined): string {
  if (act?.place === undefined) return "";
  return ` ${act.write === undefined ? "Called" : "Sent"} at ${act.place}.`;
}

/** Returns the body of a write in words. */
function said({ write }: Act): string {
  if (write === undefined || write.body === "") return "";
  return `, which says ${shortValue(bodyOf(write.body))}`;
}

function bodyOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Returns the values of a field in words: `spec.size is 1 and should be 3`. */
function describeValues({ actual, expected, field }: Difference): string {
  if (!field.endsWith("[]")) {
    return `${field} is ${shortValue(actual)} and should be ${shortValue(expected)}`;
  }
  const list = field === "[]" ? "the list" : field.slice(0, -2);
  return actual === undefined
    ? `${list} lacks ${shortValue(expected)}`
    : `${list} has ${shortValue(actual)}, which should not be there`;
}

function isLike(version: Version, other: Version): boolean {
  return describeVersion(version) === describeVersion(other);
}

/**
 * Returns the stale knowledge that may have led to a write, by its relation to the written object: the object itself first,
 * then its owners. An own write that was not read yet counts only if there is nothing else, or if it is closer.
 */
function relevant(stale: readonly Stale[], version: Version | undefined): Stale[] {
  const object = version?.write.object();
  const owners = new Set(object?.metadata.ownerReferences?.map(({ name }) => name));
  const rank = ({ isOwn, newest, object: name }: Stale) =>
    (isOwn ? 0.5 : 0) +
    (name === version?.object
      ? 0
      : owners.has(newest.write.name) || version?.write.name.startsWith(`${newest.write.name}-`)
      ? 1
      : newest.write.resource === version?.write.resource
      ? 2
      : 3);
  const sorted = stale.toSorted((a, b) => rank(a) - rank(b));
  const foreign = sorted.filter(({ isOwn }) => !isOwn);
  return foreign.length === 0 ? sorted : sorted.filter((one) => !one.isOwn || rank(one) < 2);
}
