import { visibleText } from "../../base/mod.ts";
import { groupedPaths } from "../../fields/mod.ts";
import type { Cause, CauseKind } from "./cause.ts";
import type { Story, StoryRequest } from "./story.ts";

const MAX_LINE_LENGTH = 1_000;

const WORDS: Readonly<Record<CauseKind, string>> = {
  listed: "was in the first list",
  added: "was added",
  updated: "was updated",
  deleted: "was deleted",
  resync: "is due again",
  retry: "the reconcile before failed",
  requeue: "the reconcile before asked for it",
  resumed: "it was paused until now",
  triggered: "it was triggered",
  stale: "the caches now hold what the reconcile before has written",
  left: "is in a namespace that is no longer selected",
  served: "is a kind that the server serves now",
  absent: "is a kind that the server no longer serves",
  refused: "was not written: the server has refused it",
};

/** Describes a cause: `deployments.apps default/web was updated: status.replicas, by kubectl`. */
export function causeText(cause: Cause): string {
  const { by, changed, count, object, resource, why } = cause;
  const subject = [resource, object].filter((one) => one !== undefined).join(" ");
  const text = [
    // Another version of the library may know other causes.
    subject === "" ? WORDS[why] ?? why : `${subject} ${subjectWords(why) ?? why}`,
    changed !== undefined && changed.length > 0 ? `: ${changed.join(", ")}` : "",
    by === undefined ? "" : `, by ${by}`,
    count > 1 ? `, ${count} times` : "",
  ].join("");
  return visibleText(text, MAX_LINE_LENGTH);
}

/** Describes the event of an object; undefined for a reason that this version does not know. */
function subjectWords(why: CauseKind): string | undefined {
  switch (why) {
    case "retry":
      return "failed before";
    case "requeue":
      return "asked to be reconciled again";
    case "resumed":
      return "was paused until now";
    case "triggered":
      return "was triggered";
    case "stale":
      return "has waited until the caches held what was written";
    default:
      return WORDS[why];
  }
}

/** Returns stories as text, with one paragraph each. */
export function storiesText(stories: readonly Story[]): string {
  return stories.map(storyText).join("\n");
}

function storyText(story: Story): string {
  const { attempt, controller, durationMs, error, key, moreCauses = 0, moreRequests = 0 } = story;
  const {
    causes,
    queuedMs,
    requests,
    requeueAfterMs,
    result,
    skippedWrites,
    startedAt,
    supersededBy,
  } = story;
  const by = supersededBy === undefined ? "" : ` by generation ${supersededBy}`;
  const took = `${result === "running" ? "for" : "in"} ${duration(durationMs)}`;
  const tried = attempt > 1 ? `, attempt ${attempt}` : "";
  const lines = [
    `${startedAt} ${controller} ${key}: ${result}${by} ${took}, after ${
      duration(queuedMs)
    } in the queue${waitsText(story)}${tried}`,
    ...causes.map((cause) => `  because ${causeText(cause)}`),
    ...(moreCauses > 0 ? [`  and ${moreCauses} more causes`] : []),
    ...requests.map((request) => `  ${requestText(request)}`),
    ...(moreRequests > 0 ? [`  and ${moreRequests} more requests`] : []),
    ...(skippedWrites > 0
      ? [
        `  ${skippedWrites} ${skippedWrites === 1 ? "write" : "writes"} skipped: nothing to change${
          skippedText(story)
        }`,
      ]
      : []),
    ...(requeueAfterMs === undefined ? [] : [`  again in ${duration(requeueAfterMs)}`]),
    ...(error === undefined ? [] : [`  error: ${error}`]),
  ];
  return lines.map((line) => `${visibleText(line, MAX_LINE_LENGTH)}\n`).join("");
}

/** Names what a key has waited for, besides its turn. */
function waitsText({ waits }: Story): string {
  const { backoffMs = 0, gateMs = 0 } = waits ?? {};
  return (gateMs > 0 ? `, ${duration(gateMs)} of it until the caches had its writes` : "") +
    (backoffMs > 0 ? `, and a backoff of ${duration(backoffMs)}` : "");
}

function skippedText({ skipped = [] }: Story): string {
  return skipped.length === 0
    ? ""
    : ` (${skipped.map(({ path, write }) => `${write} of ${path}`).join(", ")})`;
}

/** Names the fields that a write has sent. */
function sentText({ sent }: StoryRequest): string {
  if (sent === undefined || sent.fields.length === 0) return "";
  const fields = groupedPaths(sent.fields);
  const { moreFields = 0 } = sent;
  return `, sent ${[...fields, ...(moreFields > 0 ? [`${moreFields} more`] : [])].join(", ")}`;
}

function requestText(request: StoryRequest): string {
  const { auditId, changed, code, durationMs, error, method, path } = request;
  const answer = code === undefined ? error ?? "no answer" : `${code}`;
  const isFailed = code === undefined || code >= 400;
  return `${method} ${path}: ${answer} in ${duration(durationMs)}` +
    (changed === false ? ", nothing changed" : "") +
    sentText(request) +
    // The audit log has the reason of a refusal.
    (isFailed && auditId !== undefined ? `, Audit-Id ${auditId}` : "");
}

/** Returns a duration as text: `0.4 ms`, `12 ms`, `1.5 s`. */
function duration(ms: number): string {
  if (ms >= 1_000) return `${Math.round(ms / 100) / 10} s`;
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
