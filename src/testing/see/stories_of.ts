import { visibleText } from "@kubeloop/controller/internal/base";
import {
  clientFields,
  compareVersions,
  mergePatch,
  pathTexts,
} from "@kubeloop/controller/internal/fields";
import type { Cause, Story, StoryRequest } from "@kubeloop/controller/operator";
import { clientName } from "./clients.ts";
import type { Recorded } from "./write_log.ts";

/** The maximum length of the reason of a refusal. */
const MAX_MESSAGE_LENGTH = 1_000;

const WHY = { ADDED: "added", MODIFIED: "updated", DELETED: "deleted" } as const;

/** Options of {@linkcode storyOf}. */
export interface StoryOptions {
  /** Whether a story has the change as a patch, never that of a Secret. Default: false. */
  readonly patches?: boolean | undefined;
}

/** Returns the story of a write: its cause is the change with its writer, and its request the one that made it. */
export function storyOf(one: Recorded, { patches = false }: StoryOptions = {}): Story {
  const { atMs, key, request, resource, write } = one;
  const refusal = request !== undefined && request.code >= 400 ? request : undefined;
  return {
    controller: resource,
    key,
    ...(write !== undefined && { uid: write.uid }),
    attempt: 1,
    causes: [causeOf(one, patches)],
    startedAt: new Date(atMs).toISOString(),
    queuedMs: 0,
    durationMs: request?.durationMs ?? 0,
    requests: request === undefined ? [] : [requestOf(request)],
    skippedWrites: 0,
    result: refusal === undefined ? "success" : "error",
    ...(refusal !== undefined && {
      error: visibleText(refusal.message ?? `refused with ${refusal.code}`, MAX_MESSAGE_LENGTH),
    }),
  };
}

/** Returns the name of the writer, with the subresource and the user: `kubelet (status)`. */
export function writerOf({ author, request }: Recorded): string {
  if (author === undefined) return "the API server";
  const name = clientName(author);
  const subresource = request?.subresource ?? "";
  return subresource === "" ? name : `${name} (${visibleText(subresource, 40)})`;
}

/** Returns the paths that a write has changed; undefined if the object is new, or deleted. */
export function changedBy(one: Recorded): readonly string[] | undefined {
  const { write } = one;
  if (write?.type !== "MODIFIED") return undefined;
  const before = write.previous();
  if (before === undefined) return undefined;
  return one.changed ??= pathTexts(compareVersions(before, write.object()));
}

function causeOf(one: Recorded, patches: boolean): Cause {
  const { key, request, resource, write } = one;
  const base = { object: key, resource, count: 1, waitedMs: 0, by: writerOf(one) };
  if (write === undefined) return { ...base, why: whyRefused(request?.verb) };
  const changed = changedBy(one);
  return {
    ...base,
    why: WHY[write.type],
    resourceVersion: write.resourceVersion,
    ...(changed !== undefined && { changed }),
    ...(patches && patchOf(one)),
  };
}

function whyRefused(verb = ""): Cause["why"] {
  if (verb === "create") return "added";
  return verb.startsWith("delete") ? "deleted" : "updated";
}

function patchOf({ resource, write }: Recorded): Pick<Cause, "patch"> {
  if (resource === "secrets" || write === undefined || write.type === "DELETED") return {};
  const before = write.previous();
  const after = clientFields(write.object());
  return { patch: before === undefined ? after : mergePatch(clientFields(before), after) };
}

function requestOf(
  { code, durationMs, method, path }: NonNullable<Recorded["request"]>,
): StoryRequest {
  return { method, path, code, durationMs };
}
