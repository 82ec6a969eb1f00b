import { isRecord } from "../base/mod.ts";
import type { ListMeta, Status, StatusCause, StatusDetails } from "./minimal/mod.ts";

/** The maximum length of a field; longer texts are cut. In characters. */
const MAX_TEXT_LENGTH = 16_384;

/** The maximum number of causes; further causes are dropped. */
const MAX_CAUSES = 256;

/**
 * Returns a Status with the fields of `value` that have the right type. A server or a proxy may send anything: a wait of
 * `"soon"`, causes that are not an array, a message of 10 MB.
 *
 * @param value The received value.
 * @param textOf Applied to every text, for example to hide credentials. Default: the text is unchanged.
 *
 * @internal
 */
export function readStatus(
  value: unknown,
  textOf: (text: string) => string = (text) => text,
): Status {
  const fields = isRecord(value) ? value : {};
  const text = (field: unknown): string | undefined => readText(field, textOf);
  return defined<Status>({
    kind: fields.kind === "Status" ? "Status" : undefined,
    apiVersion: text(fields.apiVersion),
    metadata: readListMeta(fields.metadata, text),
    status: fields.status === "Success" || fields.status === "Failure" ? fields.status : undefined,
    message: text(fields.message),
    reason: text(fields.reason),
    details: readDetails(fields.details, text),
    code: Number.isSafeInteger(fields.code) ? fields.code as number : undefined,
  });
}

type ReadText = (field: unknown) => string | undefined;

function readDetails(value: unknown, text: ReadText): StatusDetails | undefined {
  if (!isRecord(value)) return undefined;
  const { causes, retryAfterSeconds } = value;
  return defined<StatusDetails>({
    name: text(value.name),
    group: text(value.group),
    kind: text(value.kind),
    uid: text(value.uid),
    causes: Array.isArray(causes)
      ? causes.slice(0, MAX_CAUSES).filter(isRecord).map((cause) => readCause(cause, text))
      : undefined,
    retryAfterSeconds: isWait(retryAfterSeconds) ? retryAfterSeconds : undefined,
  });
}

function readCause(cause: Record<string, unknown>, text: ReadText): StatusCause {
  return defined<StatusCause>({
    reason: text(cause.reason),
    message: text(cause.message),
    field: text(cause.field),
  });
}

function readListMeta(value: unknown, text: ReadText): ListMeta | undefined {
  if (!isRecord(value)) return undefined;
  const { remainingItemCount } = value;
  return defined<ListMeta>({
    resourceVersion: text(value.resourceVersion),
    continue: text(value.continue),
    remainingItemCount: Number.isSafeInteger(remainingItemCount)
      ? remainingItemCount as number
      : undefined,
  });
}

function readText(field: unknown, textOf: (text: string) => string): string | undefined {
  if (typeof field !== "string") return undefined;
  // Redacted before it is cut, so that no part of a token stays at the end.
  const text = textOf(field);
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/** Reports whether a number can be a wait: finite and not negative. */
export function isWait(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

/** Returns the fields that are not undefined. */
function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
