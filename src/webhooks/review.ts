import {
  abortable,
  type Clock,
  defaultLogger,
  describeError,
  ENVIRONMENT_CHECKS,
  isRecord,
  type Logger,
  type OptionChecks,
  parseJson,
  realClock,
  safeLogger,
  showJson,
  stringifyJson,
  withTimeLimit,
} from "../base/mod.ts";
import { type Status, StatusError } from "../types/mod.ts";

/** Maximum size of a review, in bytes. It holds an object and its old state; etcd allows 1.5 MiB for each. */
const MAX_REVIEW_BYTES = 16 * 1024 * 1024;

/** The default timeout of a webhook in the API server. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** The maximum timeout of a webhook in the API server. */
const MAX_TIMEOUT_MS = 30_000;

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Options of all webhooks. */
export interface ReviewOptions {
  /** Receives the errors of the functions. Default: a logger that writes to the console. */
  readonly logger?: Logger | undefined;
  /** The clock of the deadlines. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

/** The checks of {@linkcode ReviewOptions}. */
export const REVIEW_CHECKS: OptionChecks<ReviewOptions> = {
  logger: ENVIRONMENT_CHECKS.logger,
  clock: ENVIRONMENT_CHECKS.clock,
};

/** The error of a request that is not a valid review. The API server gets the message. */
class MalformedReview extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The kind of a review, such as `AdmissionReview` of `admission.k8s.io/v1`. */
export interface ReviewKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The request of a review. Only the uid was checked. */
export type ReviewRequest = { readonly uid: string } & Readonly<Record<string, unknown>>;

/**
 * Returns the response of a review, without its uid. The signal aborts at the deadline, and when the API server closes the
 * request.
 */
export type Answer = (
  review: ReviewRequest,
  signal: AbortSignal,
  request: Request,
) => Promise<object>;

/** Returns a handler that answers reviews. It never rejects. */
export function reviewHandler(
  kind: ReviewKind,
  options: ReviewOptions,
  makeAnswer: (logger: Logger) => Answer,
): (request: Request) => Promise<Response> {
  const { clock = realClock } = options;
  const logger = safeLogger(options.logger ?? defaultLogger);
  const answer = makeAnswer(logger);
  return (request) => answerReview(request, kind, answer, clock, logger);
}

/** Answers a readable review with 200, whatever the verdict is. Never rejects. */
async function answerReview(
  request: Request,
  { apiVersion, kind }: ReviewKind,
  answer: Answer,
  clock: Clock,
  logger: Logger,
): Promise<Response> {
  try {
    const asked = await readReview(request, { apiVersion, kind });
    const response = await withDeadline(request, clock, (signal) => answer(asked, signal, request));
    return jsonResponse({ apiVersion, kind, response: { uid: asked.uid, ...response } }, 200);
  } catch (error) {
    const malformed = error instanceof MalformedReview;
    if (!malformed) {
      logger.error(`${kind}: the review could not be answered: ${describeError(error)}`);
    }
    const code = malformed ? error.code : 500;
    const message = malformed ? error.message : "The webhook failed: see its log";
    const status: Status = { kind: "Status", apiVersion: "v1", status: "Failure", message, code };
    return jsonResponse(status, code);
  }
}

function jsonResponse(value: unknown, status: number): Response {
  const headers = { "content-type": "application/json" };
  return new Response(stringifyJson(value), { status, headers });
}

async function readReview(
  request: Request,
  { apiVersion, kind }: ReviewKind,
): Promise<ReviewRequest> {
  const expected = `expected a POST of ${kind} of ${apiVersion} in JSON`;
  if (request.method !== "POST") {
    throw new MalformedReview(405, `Cannot answer ${request.method}: ${expected}`);
  }
  const type = request.headers.get("content-type") ?? "none";
  if (type.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw new MalformedReview(415, `Cannot read the content type ${shown(type)}: ${expected}`);
  }
  const text = await readText(request);
  let review: unknown;
  try {
    review = parseJson(text);
  } catch {
    throw new MalformedReview(400, `The body is not JSON: ${expected}`);
  }
  if (!isRecord(review) || review.apiVersion !== apiVersion || review.kind !== kind) {
    const found = isRecord(review)
      ? `a ${shown(review.kind)} of ${shown(review.apiVersion)}`
      : "no object";
    throw new MalformedReview(400, `The body is ${found}: ${expected}`);
  }
  const asked = review.request;
  if (!isRecord(asked) || typeof asked.uid !== "string" || asked.uid === "") {
    throw new MalformedReview(400, `The review has no request with a uid: ${expected}`);
  }
  return asked as ReviewRequest;
}

/** Reads the body of a request, up to the maximum size. */
async function readText(request: Request): Promise<string> {
  const tooLong = () =>
    new MalformedReview(413, `The review is longer than ${MAX_REVIEW_BYTES} bytes`);
  if (Number(request.headers.get("content-length")) > MAX_REVIEW_BYTES) throw tooLong();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  try {
    // A consumed body counts as empty, which is not JSON.
    const reader = request.bodyUsed ? undefined : request.body?.getReader();
    for (;;) {
      const { done, value } = await reader?.read() ?? { done: true, value: undefined };
      if (done) return text + decoder.decode();
      bytes += value.length;
      if (bytes > MAX_REVIEW_BYTES) {
        // The error is certain, so the rest is not read.
        reader?.cancel().catch(() => {});
        throw tooLong();
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error instanceof MalformedReview) throw error;
    throw new MalformedReview(400, "The body could not be read to its end");
  }
}

/** Calls `answer` with a signal that aborts after the timeout in the query of the API server, such as `?timeout=10s`. */
function withDeadline(
  request: Request,
  clock: Clock,
  answer: (signal: AbortSignal) => Promise<object>,
): Promise<object> {
  const limitMs = timeoutOf(new URL(request.url).searchParams.get("timeout"));
  const late = () => deadlineError(limitMs);
  return withTimeLimit({ clock, signal: request.signal, limitMs, late }, answer);
}

/** Returns the error of a passed deadline. */
function deadlineError(timeoutMs: number): DOMException {
  return new DOMException(`The webhook took longer than ${timeoutMs} ms`, "TimeoutError");
}

/** Parses a duration of Go, such as `10s` or `1m0s`. */
function timeoutOf(text: string | null): number {
  let totalMs = 0;
  for (const [, number = "", unit = ""] of (text ?? "").matchAll(/([0-9]{1,6})(ms|s|m)/g)) {
    totalMs += Number(number) * (MS[unit] ?? 0);
  }
  return totalMs > 0 ? Math.min(totalMs, MAX_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}

/**
 * Calls a function of the user.
 *
 * @returns The result, or the Status of the failure. A StatusError that the function created is the Status. Any other error,
 * including the error of a client's request, may contain internals: it is logged, and the Status does not show it.
 */
export async function callUser<R>(
  what: string,
  call: () => R | Promise<R>,
  { signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
): Promise<{ readonly result: R } | { readonly failure: Status }> {
  try {
    // A function that hangs must not hold the request beyond its deadline.
    return { result: await abortable(Promise.resolve().then(call), signal) };
  } catch (error) {
    if (StatusError.is(error) && error.method === undefined) {
      return { failure: { ...error.status, message: error.status.message ?? error.message } };
    }
    logger.error(`${what} failed: ${describeError(error)}`);
    const timedOut = signal.aborted && error === signal.reason;
    return {
      failure: timedOut
        ? { code: 504, reason: "Timeout", message: "the webhook did not answer in time" }
        : { code: 500, reason: "InternalError", message: "the webhook failed: see its log" },
    };
  }
}

/** Returns a value of the request for a message. */
export function shown(value: unknown): string {
  const text = showJson(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
