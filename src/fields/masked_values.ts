import { isRecord, setOwn } from "../base/mod.ts";
import { LAST_APPLIED } from "./describe_diff.ts";

/** The text in place of a value. */
const MASK = "•••";

/** The bounds of a value that is shown. */
const MAX_DEPTH = 20;
const MAX_TEXT_LENGTH = 500;
const MAX_ITEMS = 200;

/** Matches names of fields whose texts are credentials. The name of an object that holds one, as in `secretName`, is not. */
const CREDENTIAL =
  /pass(?:word|wd|phrase)|secret|token|credential|api[-_]?key|private[-_]?key|access[-_]?key/i;
const REFERENCE = /(?:name|ref|kind|namespace|policy|type|path|url|ttl)$/i;
/** Matches an argument that holds a credential, as in `--password=x`. */
const CREDENTIAL_ARGUMENT =
  /(?:pass(?:word|wd|phrase)|secret|token|credential|api[-_]?key)[a-z_-]{0,20}[=:]/i;

/**
 * Returns a copy of a JSON value that may be shown to a person: without managed fields, with a mask in place of texts that look
 * like credentials, by the name of their field, and within bounds. The data of a Secret is masked as a whole.
 *
 * @param value The value.
 * @param resource The resource of the object, as in `secrets`.
 */
export function maskedValue(value: unknown, resource: string): unknown {
  if (resource !== "secrets" || !isRecord(value)) return masked(value, "", 0);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const isData = name !== "apiVersion" && name !== "kind" && name !== "metadata" &&
      name !== "type" && name !== "immutable";
    setOwn(copy, name, isData ? hidden(value[name]) : masked(value[name], name, 1));
  }
  return copy;
}

/**
 * Reports whether the body of a write may hold credentials by its kind: a Secret, a token, or a review of a token. The path is
 * that of the request.
 */
export function mayHoldCredentials(path: string): boolean {
  const steps = path.toLowerCase().split(/[/?]/);
  return steps.includes("secrets") || steps.includes("token") ||
    steps.includes("authentication.k8s.io") || steps.includes("tokenreviews");
}

/** Returns an object with masks in place of its values, or a mask. */
function hidden(value: unknown): unknown {
  if (!isRecord(value)) return MASK;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).slice(0, MAX_ITEMS)) setOwn(copy, name, MASK);
  return copy;
}

function masked(value: unknown, name: string, depth: number): unknown {
  if (typeof value === "string") {
    const isCredential = CREDENTIAL.test(name) && !REFERENCE.test(name);
    if (isCredential || CREDENTIAL_ARGUMENT.test(value.slice(0, MAX_TEXT_LENGTH))) return MASK;
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item) => masked(item, name, depth + 1));
  }
  const members = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  // An environment variable, as in { name: "DB_PASSWORD", value: "…" }.
  // Or an operation of a JSON patch, as in { op: "add", path: "/data/password", value: "…" }.
  const { name: named, path } = members;
  const isNamed = [named, path].some((one) => typeof one === "string" && CREDENTIAL.test(one));
  for (const member of Object.keys(members).slice(0, MAX_ITEMS)) {
    if (member === "managedFields" && name === "metadata") continue;
    const isHidden = member === LAST_APPLIED || (isNamed && member === "value");
    setOwn(copy, member, isHidden ? MASK : masked(members[member], member, depth + 1));
  }
  return copy;
}
