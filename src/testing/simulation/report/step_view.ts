import { parseJson } from "@kubeloop/controller/internal/base";
import type { KnownView, RequestView, StepView } from "@kubeloop/controller/internal/see";
import { isCompared, objectName, type Reconciling } from "../record/mod.ts";
import type { Act, Chronicle, Given, Version } from "./chronicle.ts";
import type { VersionsTable } from "./versions_table.ts";
import { actName } from "./words.ts";

/** The maximum number of objects that a step shows. */
const MAX_KNOWN = 8;
/** The maximum length of the body of a request, in characters. */
const MAX_BODY = 20_000;

/** The run of a step, and the objects that its story is about. */
export interface StepScene {
  readonly run: Chronicle;
  readonly focus: ReadonlySet<string>;
  readonly table: VersionsTable;
}

/** The knowledge of an object at a moment. */
interface Knowing {
  readonly object: string;
  readonly knew: Given | undefined;
  /** The index of the moment at which the knowledge is compared with the truth. */
  readonly at: number;
  readonly place: string | undefined;
  /** Whether the request writes this object. */
  readonly isTarget: boolean;
}

/** Returns what a process knew and did when it sent a write or made a call. */
export function stepOfAct(act: Act, scene: StepScene): StepView {
  const { table } = scene;
  const { version } = act;
  return {
    ...knownAt(knowledgeOf(act, scene.run), act, scene),
    request: requestOf(act),
    ...(version !== undefined && { change: changeOf(version, table) }),
  };
}

/** Returns what was read at the begin of a reconcile, before it sent anything. */
export function stepOfReconcile(
  reconcile: Reconciling,
  first: Act | undefined,
  life: number,
  scene: StepScene,
): StepView {
  const { run } = scene;
  const looks = run.looksOf(
    reconcile,
    first === undefined ? reconcile.end?.at ?? Infinity : momentOf(first),
  );
  const knowing = [...looks.values()].map((look) => ({ ...look, isTarget: false }));
  return knownAt(knowing, { process: reconcile.process, life }, scene);
}

/** Returns a change that no process has made. */
export function stepOfVersion(version: Version, { table }: StepScene): StepView {
  return { known: [], more: 0, change: changeOf(version, table) };
}

function changeOf(version: Version, table: VersionsTable): NonNullable<StepView["change"]> {
  const before = table.before(version);
  return { ...(before !== undefined && { before }), after: table.ofWrite(version) };
}

/** Returns the number of moments before an act. A repeated call is between two of them. */
function momentOf({ at }: Act): number {
  return Math.ceil(at);
}

/** Returns the knowledge behind an act: what its reconcile has read, its object, and stale objects. */
function knowledgeOf(act: Act, run: Chronicle): Knowing[] {
  const at = act.version?.at ?? act.at;
  const out = new Map<string, Knowing>();
  const target = act.write === undefined || act.write.verb === "create"
    ? act.version?.object
    : objectName(act.write);
  if (act.reconcile !== undefined) {
    for (const { knew, object, place } of run.looksOf(act.reconcile, momentOf(act)).values()) {
      out.set(object, { object, knew, at, place, isTarget: object === target });
    }
  }
  if (target !== undefined && !out.has(target) && isCompared(act.write?.resource ?? "")) {
    out.set(target, { object: target, knew: act.target, at, place: undefined, isTarget: true });
  }
  for (const { knew, object, place } of act.stale) {
    if (!out.has(object)) out.set(object, { object, knew, at, place, isTarget: false });
  }
  return [...out.values()];
}

/** Compares knowledge with the truth, and keeps what matters most. */
function knownAt(
  knowing: readonly Knowing[],
  by: { readonly process: string; readonly life: number },
  { focus, run, table }: StepScene,
): Pick<StepView, "known" | "more"> {
  const compared = knowing.flatMap((one) => {
    const { at, knew, object } = one;
    const was = run.newestAt(object, at);
    const isFresh = was === undefined || was.number === knew?.number ||
      (was.write.type === "DELETED" && (knew === undefined || knew.type === "DELETED"));
    // An object that neither the process nor the server knows says nothing, unless it was looked for.
    const isOwn = !isFresh &&
      run.versionsOf(object).every((version) =>
        version.at >= at || version.number <= (knew?.number ?? 0) ||
        (version.act?.process === by.process && version.act.life === by.life)
      );
    const state: KnownView["state"] = isFresh ? "fresh" : isOwn ? "own" : "stale";
    const rank = (state === "stale" ? 0 : one.isTarget ? 2 : state === "own" ? 4 : 6) +
      (focus.has(object) ? 0 : 1);
    return [{ ...one, was, state, rank }];
  }).sort((a, b) => a.rank - b.rank);
  return {
    known: compared.slice(0, MAX_KNOWN).map(({ knew, object, place, state, was }): KnownView => {
      // An object that was not written in the run is as it was read.
      const given = knew === undefined ? undefined : table.ofGiven(object, knew);
      const truth = was === undefined ? given : table.ofWrite(was);
      return {
        object,
        state,
        ...(given !== undefined && { knew: given }),
        ...(truth !== undefined && { was: truth }),
        ...(place !== undefined && { place }),
      };
    }),
    more: Math.max(0, compared.length - MAX_KNOWN),
  };
}

function requestOf(act: Act): RequestView {
  const { place, version, write } = act;
  const common = { text: actName(act), ...(place !== undefined && { place }) };
  if (write === undefined) return { ...common, answer: "", isFailed: false };
  const { injected, status } = write;
  const parts = [
    ...(status > 0 && !injected?.includes(String(status)) ? [answerOf(status, version)] : []),
    ...(injected === undefined ? [] : [injected]),
  ];
  const body = bodyOf(write.body);
  return {
    ...common,
    ...(body !== undefined && { body }),
    answer: parts.length === 0 ? "no answer" : parts.join("; "),
    isFailed: status === 0 || status >= 400,
  };
}

function answerOf(status: number, version: Version | undefined): string {
  return status < 300 && version === undefined ? `${status}, nothing changed` : String(status);
}

function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  if (text.length > MAX_BODY) return `${text.length} characters, left out`;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
