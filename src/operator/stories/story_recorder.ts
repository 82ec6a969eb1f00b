import type { Clock, Redact } from "../../base/mod.ts";
import { describeError, oneLine, showJson, visibleText } from "../../base/mod.ts";
import { type Cause, HeldCause } from "./cause.ts";
import type { TakenCauses } from "./pending_causes.ts";
import { sentFields } from "./sent_fields.ts";
import type { SkippedWrite, Story, StoryRequest, StoryResult, StoryWaits } from "./story.ts";

/** The maximum number of requests of one story. */
const MAX_REQUESTS = 100;
/** The maximum number of listed skipped writes of one story. */
const MAX_SKIPPED = 8;
const MAX_ERROR_LENGTH = 500;
const MAX_PATH_LENGTH = 300;

/** The facts at the start of a reconcile. */
export interface StoryStart {
  /** The name of the controller. */
  readonly controller: string;
  /** The key of the object. */
  readonly key: string;
  /** The UID of the object, if it exists. */
  readonly uid?: string | undefined;
  /** The number of the attempt: 1, plus the number of failures in a row before. Default 1. */
  readonly attempt?: number | undefined;
  /** The causes, as returned by `PendingCauses.take`. */
  readonly taken: TakenCauses;
  /** The start, in milliseconds of the clock of the book. Default: now. */
  readonly startedMs?: number | undefined;
  /** How long the key has waited for the caches, in milliseconds. Default 0. */
  readonly gateMs?: number | undefined;
  /** The delay after the failure of the reconcile before, in milliseconds. Default 0. */
  readonly backoffMs?: number | undefined;
}

/** The facts at the end of a reconcile. */
export interface StoryEnd {
  /** The result. */
  readonly result: Exclude<StoryResult, "running">;
  /** The generation of the object that has ended a `superseded` reconcile. */
  readonly supersededBy?: number | undefined;
  /** The requested delay until the next reconcile, in milliseconds. */
  readonly requeueAfterMs?: number | undefined;
  /** The thrown error. */
  readonly error?: unknown;
  /** The end, in milliseconds of the clock of the book. Default: now. */
  readonly endedMs?: number | undefined;
}

/** A finished request of a reconcile, for {@linkcode StoryRecorder.requested}. */
export interface SentRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL, or its path. The query is not kept. */
  readonly url: string;
  /** The status code, if there was a response. */
  readonly code?: number | undefined;
  /** The error, if there was no response. */
  readonly error?: unknown;
  /** The time until the response, in milliseconds. */
  readonly durationMs: number;
  /** Whether the write has changed the object, if known. */
  readonly changed?: boolean | undefined;
  /** The `Audit-Id` of the answer, if it has one. */
  readonly auditId?: string | undefined;
  /** The body of the request, as JSON text. Only the paths of its fields are kept; see {@linkcode SentFields}. */
  readonly body?: string | undefined;
}

/** The parts of a book that its recorders use. */
export interface RecorderOwner {
  readonly clock: Clock;
  readonly redact: Redact;
  /** Whether requests keep the values that they have sent. */
  readonly keepsValues: boolean;
  /** Whether all readers of stories get these values, and not only a page. */
  readonly sharesValues: boolean;
  /** Converts a time of the clock to milliseconds since the Unix epoch. */
  wallMs(clockMs: number): number;
  ended(record: StoryRecord): void;
}

/** Records one reconcile. Created by `StoryBook.begin`. */
export interface StoryRecorder {
  /** The key of the object. */
  readonly key: string;
  /** The causes of the reconcile. */
  readonly causes: readonly Cause[];
  /** The start, in milliseconds of the clock of the book. */
  readonly startedMs: number;
  /** Adds a request that has ended. After 100 requests, further ones are only counted. */
  requested(request: SentRequest): void;
  /** Counts a write that was not sent because it would have changed nothing. The first eight are listed. */
  writeSkipped(write?: SkippedWrite): void;
  /** Ends the story, and adds it to the book. A second call has no effect. */
  end(end: StoryEnd): void;
}

/** One story, during and after its reconcile. It is one flat object, because there are many. */
export class StoryRecord implements StoryRecorder {
  readonly controller: string;
  readonly key: string;
  readonly causes: readonly Cause[];
  readonly startedMs: number;
  /** The index in the book's list of running reconciles. */
  runningAt = -1;
  /** The approximate memory of the ended story, in bytes. */
  size = 0;
  /** The end, in milliseconds of the clock. */
  endedMs = 0;
  readonly #owner: RecorderOwner;
  readonly #uid: string | undefined;
  readonly #attempt: number;
  readonly #moreCauses: number;
  readonly #queuedMs: number;
  readonly #startedWallMs: number;
  readonly #gateMs: number;
  readonly #backoffMs: number;
  #requests: StoryRequest[] | undefined;
  #moreRequests = 0;
  #skippedWrites = 0;
  #skipped: SkippedWrite[] | undefined;
  #result: StoryResult = "running";
  #requeueAfterMs: number | undefined;
  #supersededBy: number | undefined;
  #error: string | undefined;

  constructor(start: StoryStart, owner: RecorderOwner) {
    const { taken } = start;
    this.controller = start.controller;
    this.key = start.key;
    this.causes = taken.causes;
    this.#owner = owner;
    this.#uid = start.uid;
    this.#attempt = start.attempt ?? 1;
    this.#moreCauses = taken.moreCauses;
    this.#queuedMs = taken.queuedMs;
    this.#gateMs = start.gateMs ?? 0;
    this.#backoffMs = start.backoffMs ?? 0;
    this.startedMs = start.startedMs ?? owner.clock.now();
    this.#startedWallMs = owner.wallMs(this.startedMs);
  }

  /** Whether the reconcile has failed. */
  get isFailed(): boolean {
    return this.#result === "error" || this.#result === "terminal";
  }

  requested(request: SentRequest): void {
    const { auditId, body, changed, code, durationMs, error, method, url } = request;
    if (this.#result !== "running") return;
    this.#requests ??= [];
    if (this.#requests.length >= MAX_REQUESTS) {
      this.#moreRequests++;
      return;
    }
    const path = pathOf(url);
    const sent = body === undefined ? undefined : sentFields(body, path, this.#owner);
    this.#requests.push({
      method,
      path,
      ...(code !== undefined && { code }),
      ...(error !== undefined && { error: this.#line(error) }),
      durationMs,
      ...(changed !== undefined && { changed }),
      ...(auditId !== undefined && { auditId }),
      ...(sent !== undefined && { sent }),
    });
  }

  writeSkipped(write?: SkippedWrite): void {
    if (this.#result !== "running") return;
    this.#skippedWrites++;
    if (write === undefined) return;
    this.#skipped ??= [];
    if (this.#skipped.length >= MAX_SKIPPED) return;
    this.#skipped.push({ write: write.write, path: pathOf(write.path) });
  }

  end(end: StoryEnd): void {
    if (this.#result !== "running") return;
    this.#result = end.result;
    this.#requeueAfterMs = end.requeueAfterMs;
    this.#supersededBy = end.supersededBy;
    this.endedMs = end.endedMs ?? this.#owner.clock.now();
    if (end.error !== undefined) this.#error = this.#line(end.error);
    this.#owner.ended(this);
  }

  /** Returns the approximate memory of the story, in bytes. */
  bytes(): number {
    let bytes = 400 + 2 * this.key.length + 2 * (this.#error?.length ?? 0);
    for (const cause of this.causes) {
      const { by, changed, object } = cause;
      bytes += 200 + 2 * ((object?.length ?? 0) + (by?.length ?? 0));
      if (changed !== undefined) { for (const path of changed) bytes += 32 + 2 * path.length; }
      if (cause.patch !== undefined) bytes += 4 * showJson(cause.patch).length;
    }
    for (const { path } of this.#skipped ?? []) bytes += 64 + 2 * path.length;
    for (const { auditId = "", error = "", path, sent } of this.#requests ?? []) {
      bytes += 120 + 2 * (path.length + error.length + auditId.length);
      if (sent === undefined) continue;
      bytes += 64;
      for (const field of sent.fields) bytes += 32 + 2 * field.length;
      if (sent.values !== undefined) bytes += 4 * showJson(sent.values).length;
    }
    return bytes;
  }

  /** Returns the story so far, with the values that were sent if `hasValues`. */
  story(hasValues: boolean = this.#owner.sharesValues): Story {
    const { controller, key } = this;
    const result = this.#result;
    const uid = this.#uid;
    const requeueAfterMs = this.#requeueAfterMs;
    const supersededBy = this.#supersededBy;
    const untilMs = result === "running" ? this.#owner.clock.now() : this.endedMs;
    return {
      controller,
      key,
      ...(uid !== undefined && { uid }),
      attempt: this.#attempt,
      causes: this.causes.map((cause) => cause instanceof HeldCause ? cause.toJSON() : cause),
      ...(this.#moreCauses > 0 && { moreCauses: this.#moreCauses }),
      startedAt: new Date(this.#startedWallMs).toISOString(),
      queuedMs: this.#queuedMs,
      ...this.#waits(),
      durationMs: untilMs - this.startedMs,
      requests: (this.#requests ?? []).map((one) => hasValues ? one : withoutValues(one)),
      ...(this.#moreRequests > 0 && { moreRequests: this.#moreRequests }),
      skippedWrites: this.#skippedWrites,
      ...(this.#skipped !== undefined && { skipped: [...this.#skipped] }),
      result,
      ...(supersededBy !== undefined && { supersededBy }),
      ...(requeueAfterMs !== undefined && { requeueAfterMs }),
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }

  #waits(): { readonly waits?: StoryWaits } {
    const gateMs = this.#gateMs;
    const backoffMs = this.#backoffMs;
    if (gateMs === 0 && backoffMs === 0) return {};
    return { waits: { queueMs: Math.max(0, this.#queuedMs - gateMs), gateMs, backoffMs } };
  }

  #line(error: unknown): string {
    return visibleText(oneLine(this.#owner.redact(describeError(error))), MAX_ERROR_LENGTH);
  }
}

/** Returns the path of a URL, without the query, which may contain confidential values. */
function pathOf(url: string): string {
  const scheme = url.indexOf("://");
  const start = scheme < 0 ? 0 : url.indexOf("/", scheme + 3);
  const path = start < 0 ? "/" : url.slice(start);
  const end = path.search(/[?#]/);
  return visibleText(end < 0 ? path : path.slice(0, end), MAX_PATH_LENGTH);
}

function withoutValues(request: StoryRequest): StoryRequest {
  if (request.sent?.values === undefined) return request;
  const { values: _, ...sent } = request.sent;
  return { ...request, sent };
}
