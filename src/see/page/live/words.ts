import type { SeeState } from "../../mod.ts";

/** The words of the page for one kind of program. */
export interface Words {
  /** The steps of the pipeline. */
  readonly flow: string;
  /** The heading of the list of keys, one key, and the words for no key at all. */
  readonly keys: string;
  readonly key: string;
  readonly noKey: string;
  /** The words for a key without an object. */
  readonly noObject: string;
  /** The owner of a key, the filter of the list, and its first choice. */
  readonly owner: string;
  readonly filter: string;
  readonly all: string;
  /** A story. */
  readonly story: string;
  readonly stories: string;
  /** The name of the column with the number of stories. */
  readonly kept: string;
}

const WORDS: Readonly<Record<SeeState["kind"], Words>> = {
  manager: {
    flow: "watch → queue → cache → keys → workers",
    keys: "Keys",
    key: "key",
    noKey: "No key has been reconciled yet.",
    noObject: "The object is not in the cache: it was deleted, or is not selected.",
    owner: "Controller",
    filter: "Controller",
    all: "all controllers",
    story: "reconcile",
    stories: "Reconciles",
    kept: "Stories",
  },
  cluster: {
    flow: "the watches of each client, and its writes",
    keys: "Objects",
    key: "object",
    noKey: "There are no objects.",
    noObject: "The object does not exist.",
    owner: "Resource",
    filter: "Written by",
    all: "written by any client",
    story: "write",
    stories: "Writes",
    kept: "Writes",
  },
};

/** Returns the words for a kind of program. */
export function wordsOf(kind: SeeState["kind"]): Words {
  return WORDS[kind] ?? WORDS.manager;
}
