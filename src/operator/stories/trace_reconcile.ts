import { describeError, isPromiseLike, visibleText } from "../../base/mod.ts";
import type { Cause } from "./cause.ts";
import { causeText } from "./story_text.ts";

/** The attributes of a span. */
export type SpanAttributesLike = Record<string, string | number | boolean | string[]>;

/** The part of OpenTelemetry's `Span` that {@linkcode traceReconcile} needs. */
export interface SpanLike {
  /** Sets attributes. */
  setAttributes(attributes: SpanAttributesLike): unknown;
  /** Sets the status: 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Returns the ids of the span, for the field `trace` of log lines. */
  spanContext?(): { readonly traceId: string };
  /** Records an error. */
  recordException(exception: Error | string): void;
  /** Ends the span. */
  end(): void;
}

/** The part of OpenTelemetry's `Tracer` that {@linkcode traceReconcile} needs. */
export interface TracerLike {
  /** Starts a span, and calls `fn` while the span is active: spans of requests in `fn` are its children. */
  startActiveSpan<F extends (span: SpanLike) => unknown>(
    name: string,
    options: { attributes?: SpanAttributesLike },
    fn: F,
  ): ReturnType<F>;
}

/** The facts about a reconcile in its span. */
export interface TracedReconcile {
  /** The name of the controller. */
  readonly controller: string;
  /** The key of the object. */
  readonly key: string;
  /** The kind of the object. */
  readonly kind?: string | undefined;
  /** The UID of the object, if it exists. */
  readonly uid?: string | undefined;
  /** The number of the attempt: 1, plus the number of failures in a row before. */
  readonly attempt: number;
  /** The causes of the reconcile. */
  readonly causes: readonly Cause[];
}

const ERROR = 2;

/** The maximum length of the message of a span, in characters. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Calls `fn` in a span named `reconcile CONTROLLER`, with the object, the attempt and the causes as attributes. If `fn`
 * throws or rejects, the span has the error. Errors of the tracer are ignored.
 *
 * The library does not depend on OpenTelemetry. With `OTEL_DENO=true` on Deno, the tracers of `npm:@opentelemetry/api` need
 * no further setup, and the requests of the reconcile become child spans.
 *
 * @param tracer The tracer, such as `trace.getTracer("widgets")`. If undefined, `fn` is called without a span.
 * @param reconcile The facts in the span.
 * @param fn The reconcile, which gets the id of the trace; undefined without one.
 * @returns The result of `fn`.
 *
 * @example
 * ```ts
 * import { traceReconcile } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const reconcile = { controller: "widgets", key: "default/web", attempt: 1, causes: [] };
 * assertEquals(traceReconcile(undefined, reconcile, () => "done"), "done");
 * ```
 */
export function traceReconcile<R>(
  tracer: TracerLike | undefined,
  reconcile: TracedReconcile,
  fn: (traceId: string | undefined) => R,
): R {
  if (tracer === undefined) return fn(undefined);
  let outcome: { value: R } | { thrown: unknown } | undefined;
  const inSpan = (span: SpanLike): R | undefined => {
    // A tracer that calls this twice must not reconcile twice.
    if (outcome !== undefined) return undefined;
    try {
      outcome = { value: fn(traceIdOf(span)) };
    } catch (error) {
      outcome = { thrown: error };
      finish(span, { thrown: error });
      return undefined;
    }
    const { value } = outcome;
    if (isPromiseLike(value)) {
      value.then((result) => finish(span, { result }), (thrown) => finish(span, { thrown }));
    } else finish(span, { result: value });
    return value;
  };
  try {
    const options = { attributes: attributesOf(reconcile) };
    tracer.startActiveSpan(`reconcile ${reconcile.controller}`, options, inSpan);
  } catch {
    // An error of the tracer: the span is lost, the reconcile is not.
  }
  if (outcome === undefined) return fn(undefined);
  // The compiler does not see that `inSpan` assigns.
  const ended = outcome as { value: R } | { thrown: unknown };
  if ("thrown" in ended) throw ended.thrown;
  return ended.value;
}

/** Matches the id of a trace. Without an SDK, spans have an id of zeros. */
const TRACE_ID = /^[0-9a-f]{1,64}$/;

function traceIdOf(span: SpanLike): string | undefined {
  try {
    const traceId: unknown = span.spanContext?.().traceId;
    return typeof traceId === "string" && TRACE_ID.test(traceId) && /[^0]/.test(traceId)
      ? traceId
      : undefined;
  } catch {
    // An error of the tracer.
    return undefined;
  }
}

function attributesOf(reconcile: TracedReconcile): SpanAttributesLike {
  const { attempt, causes, controller, key, kind, uid } = reconcile;
  const slash = key.indexOf("/");
  return {
    "kubeloop.controller": controller,
    "kubeloop.attempt": attempt,
    "kubeloop.causes": causes.map(causeText),
    ...(slash >= 0 && { "k8s.namespace.name": key.slice(0, slash) }),
    "k8s.object.name": key.slice(slash + 1),
    ...(kind !== undefined && { "k8s.object.kind": kind }),
    ...(uid !== undefined && { "k8s.object.uid": uid }),
  };
}

function finish(span: SpanLike, end: { result: unknown } | { thrown: unknown }): void {
  try {
    if ("thrown" in end) {
      const { thrown } = end;
      span.recordException(thrown instanceof Error ? thrown : describeError(thrown));
      span.setStatus({
        code: ERROR,
        message: visibleText(describeError(thrown), MAX_MESSAGE_LENGTH),
      });
    } else {
      const delayMs = (end.result as { requeueAfterMs?: unknown } | null | undefined)
        ?.requeueAfterMs;
      if (typeof delayMs === "number") span.setAttributes({ "kubeloop.requeue_after_ms": delayMs });
    }
    span.end();
  } catch {
    // An error of the tracer: the span is lost.
  }
}
