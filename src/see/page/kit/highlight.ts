import type { Story } from "../../../operator/stories/mod.ts";
import type { Attention } from "../../mod.ts";

/** The place in the stories of a key that shows why it needs attention. */
export interface Highlight {
  /** The index of the story. */
  readonly story: number;
  /** The part of the story: a cause, the waits, a request, the error, or the story itself. */
  readonly part: "cause" | "waits" | "request" | "error" | "story";
  /** The index of the cause or of the request. */
  readonly index: number;
}

/** Returns the place that shows the thing that needs attention; undefined if no story shows it. */
export function highlightOf(
  attention: Pick<Attention, "kind" | "text">,
  stories: readonly Story[],
): Highlight | undefined {
  return newestIn(stories, (story) => namedIn(attention, story)) ??
    newestIn(stories, (story) => placeIn(attention, story));
}

function newestIn(
  stories: readonly Story[],
  placeOf: (story: Story) => Place | undefined,
): Highlight | undefined {
  for (let story = stories.length - 1; story >= 0; story--) {
    const found = placeOf(stories[story]!);
    if (found !== undefined) return { story, ...found };
  }
  return undefined;
}

/** Returns the change of a field that a hot loop names. */
function namedIn(
  { kind, text }: Pick<Attention, "kind" | "text">,
  { causes }: Story,
): Place | undefined {
  if (kind !== "hot_loop") return undefined;
  const isNamed = (field: string) => text.includes(field);
  return place("cause", causes.findIndex(({ changed = [] }) => changed.some(isNamed)));
}

/** Returns the fields of the object that the thing that needs attention is about. */
export function fieldsOf(
  attention: Pick<Attention, "kind" | "text">,
  stories: readonly Story[],
): string[] {
  if (attention.kind === "stuck_finalizer") {
    return ["metadata.finalizers", "metadata.deletionTimestamp"];
  }
  if (attention.kind !== "hot_loop") return [];
  const place = highlightOf(attention, stories);
  return place?.part === "cause"
    ? [...stories[place.story]!.causes[place.index]?.changed ?? []]
    : [];
}

type Place = Omit<Highlight, "story">;

function placeIn(
  { kind }: Pick<Attention, "kind" | "text">,
  story: Story,
): Place | undefined {
  const { causes, error, requests, result, waits } = story;
  const cause = (is: (cause: Story["causes"][number]) => boolean) =>
    place("cause", causes.findIndex(is));
  const failed = (is: (code: number | undefined) => boolean) =>
    place("request", requests.findIndex(({ code }) => is(code)));
  switch (kind) {
    case "hot_loop":
      return cause(({ changed, why }) => why === "updated" && changed !== undefined) ??
        cause(({ why }) => why === "requeue");
    case "gate_timeout":
      if ((waits?.gateMs ?? 0) > 0) return place("waits", 0);
      return cause(({ why }) => why === "stale");
    case "stuck_finalizer":
      return failed((code) => code === undefined || code >= 400) ??
        (error !== undefined ? place("error", 0) : undefined) ??
        cause(({ changed }) =>
          changed?.some((field) => /^metadata\.(deletion|finalizers)/.test(field)) ?? false
        );
    case "right_missing":
      return failed((code) => code === 403) ??
        (error !== undefined ? place("error", 0) : undefined);
    case "conflict":
      return failed((code) => code === 409);
    case "definition_missing":
      return failed((code) => code === 404) ??
        (error !== undefined ? place("error", 0) : undefined);
    case "backoff":
      if (error === undefined) return undefined;
      return failed((code) => code === undefined || code >= 400) ?? place("error", 0);
    case "hung_reconcile":
      return result === "running" ? place("story", 0) : undefined;
    case "paused":
      return result === "paused" ? place("story", 0) : undefined;
    default:
      return undefined;
  }
}

function place(part: Highlight["part"], index: number): Place | undefined {
  return index < 0 ? undefined : { part, index };
}
