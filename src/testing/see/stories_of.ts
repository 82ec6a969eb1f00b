import { visibleText } from "@kubeloop/controller/internal/base";
import {
  clientFields,
  compareVersions,
  mergePatch,
  pathTexts,
} from "@kubeloop/controller/internal/fields";
import type { Cause, Story, StoryRequest } from "@kubeloop/controller/operator";
import type { ServerRequest } from "../api_server/mod.ts";
import { clientName, shownMessage } from "./clients.ts";
import type { Recorded } from "./write_log.ts";

/** The users that every client has on a server without tokens, or with one token. */
const ADMINISTRATORS: ReadonlySet<string> = new Set([
  "kubernetes-admin",
  "kubeloop-admin",
]);

const WHY = { ADDED: "added", MODIFIED: "updated", DELETED: "deleted" } as const;

/** Options of {@linkcode storyOf}. */
export interface StoryOptions {
  /** Whether a story has the change as a patch, never that of a Secret. Default: false. */
  readonly patches?: boolean | undefined;
}

/** Returns the story of a write. Its cause names the changed fields and their writer. */
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
      error: shownMessage(refusal),
    }),
  };
}

/** Returns the name of the writer, with the subresource, and with its user: `kubelet (status)`, `kubectl as alice`. */
export function writerOf({ author, request }: Recorded): string {
  if (author === undefined) return "the API server";
  const subresource = request?.subresource ?? "";
  const part = subresource === "" ? "" : ` (${visibleText(subresource, 40)})`;
  const isKnown = author.user === "" || ADMINISTRATORS.has(author.user);
  return `${clientName(author)}${part}${isKnown ? "" : ` as ${visibleText(author.user, 200)}`}`;
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
  const { key, resource, write } = one;
  const base = { object: key, resource, count: 1, waitedMs: 0, by: writerOf(one) };
  if (write === undefined) return { ...base, why: "refused" };
  const changed = changedBy(one);
  return {
    ...base,
    why: WHY[write.type],
    resourceVersion: write.resourceVersion,
    ...(changed !== undefined && { changed }),
    ...(patches && patchOf(one)),
  };
}

function patchOf({ resource, write }: Recorded): Pick<Cause, "patch"> {
  if (resource === "secrets" || write === undefined || write.type === "DELETED") return {};
  const before = write.previous();
  const after = clientFields(write.object());
  return { patch: before === undefined ? after : mergePatch(clientFields(before), after) };
}

function requestOf(
  { code, durationMs, method, path }: ServerRequest,
): StoryRequest {
  return { method, path, code, durationMs };
}
