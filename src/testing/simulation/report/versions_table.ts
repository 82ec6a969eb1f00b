import { stringifyJson } from "@kubeloop/controller/internal/base";
import type { VersionView } from "@kubeloop/controller/internal/see";
import type { KubeObject } from "@kubeloop/controller/types";
import type { Chronicle, Given, Version } from "./chronicle.ts";
import { timeOf, writerName } from "./words.ts";

/** The maximum length of the contents of all versions of one run, in characters of JSON. */
const MAX_CONTENTS = 400_000;

/** Fields of metadata that differ between versions without a meaning. */
const SILENT: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
]);

/** The versions of objects that the rows of a run refer to, each once. Ask for important versions first: later ones may lack their contents. */
export class VersionsTable {
  readonly versions: VersionView[] = [];
  /** The number of versions whose content was left out. */
  leftOut = 0;
  readonly #run: Chronicle;
  readonly #indices = new Map<string, number>();
  #room = MAX_CONTENTS;

  constructor(run: Chronicle) {
    this.#run = run;
  }

  /** Returns the index of a version that was written in the run. */
  ofWrite(version: Version): number {
    const { atMs, number, object, write } = version;
    return this.#index(object, number, () => ({
      time: timeOf(atMs),
      by: writerName(version),
      isGone: write.type === "DELETED",
      ...(write.type !== "DELETED" && this.#content(write.object())),
    }));
  }

  /** Returns the index of a version that a process was given. It may be from before the run. */
  ofGiven(object: string, given: Given): number {
    const { number, type } = given;
    const version = this.#run.versionsOf(object).find((version) => version.number === number);
    if (version !== undefined) return this.ofWrite(version);
    const isGone = type === "DELETED";
    const content = () => isGone ? undefined : this.#content(given.object);
    return this.#index(object, number, () => ({ isGone, ...content() }));
  }

  /** Returns the index of the version before a write; undefined for a new object. */
  before({ object, write }: Version): number | undefined {
    const previous = write.previous();
    if (previous === undefined) return undefined;
    const number = Number(previous.metadata.resourceVersion);
    return this.ofGiven(object, { type: "READ", object: previous, number, atMs: 0 });
  }

  #index(
    object: string,
    number: number,
    rest: () => Omit<VersionView, "object" | "number">,
  ): number {
    const key = `${object} ${number}`;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#indices.set(key, this.versions.length);
    return this.versions.push({ object, number, ...rest() }) - 1;
  }

  /** Returns the content of an object without {@linkcode SILENT} fields; nothing if there is no room for it. */
  #content(object: KubeObject): Pick<VersionView, "value"> {
    const metadata = Object.entries(object.metadata).filter(([field]) => !SILENT.has(field));
    const value = { ...object, metadata: Object.fromEntries(metadata) };
    const { length } = stringifyJson(value);
    if (length > this.#room) {
      this.leftOut++;
      return {};
    }
    this.#room -= length;
    return { value };
  }
}
