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
  /pass(?:word|wd|phrase)|secret|token|credential|api[-_]?key|private[-_]?key|access[-_]?key|key[-_]data|dockerc|kubeconfig/i;
const REFERENCE =
  /(?:name|ref|kind|namespace|policy|type|path|file|url|ttl|template|algorithm|audience)$/i;
/** Match texts that hold a credential. */
const CREDENTIAL_TEXTS: readonly RegExp[] = [
  // `--password=x`, `password: x`, `{"password":"x"}`
  /(?:pass(?:word|wd|phrase)|secret|token|credential|(?:api|private|access)[-_]?key)[a-z_-]{0,20}["']? ?[=:]/i,
  // `https://user:x@host`
  /:\/\/[^\s\/:@]*:[^\s\/@]+@/,
  // Private keys, and tokens.
  /PRIVATE KEY-|Bearer [\w.-]{8}|eyJ[\w-]{16}/,
];
/** Matches a flag whose value is the next argument. */
const FLAG = /^--?[\w-]+$/;

/**
 * Returns a copy of a JSON value that may be shown to a person: without managed fields, with a mask in place of texts that look
 * like credentials, by the name of their field, and within bounds. The data of a Secret is masked as a whole.
 *
 * @param value The value.
 * @param resource The resource of the object, as in `secrets`.
 */
export function maskedValue(value: unknown, resource: string): unknown {
  // A Secret, or a resource of another group that is called so.
  if (resource.split(".", 1)[0] !== "secrets" || !isRecord(value)) return masked(value, PLAIN, 0);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const isData = name !== "apiVersion" && name !== "kind" && name !== "metadata" &&
      name !== "type" && name !== "immutable";
    setOwn(copy, name, isData ? hidden(value[name]) : masked(value[name], placeOf(name, PLAIN), 1));
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

/** The place of a value. */
interface Place {
  /** The name of the field. */
  readonly name: string;
  /** Whether the field, or one around it, is named like a credential. */
  readonly isCredential: boolean;
}

const PLAIN: Place = { name: "", isCredential: false };

function placeOf(name: string, { isCredential }: Place): Place {
  return { name, isCredential: (isCredential || CREDENTIAL.test(name)) && !REFERENCE.test(name) };
}

function masked(value: unknown, place: Place, depth: number): unknown {
  if (typeof value === "string") {
    // A part of a credential that is cut off is one, too.
    const text = value.slice(0, 2 * MAX_TEXT_LENGTH);
    if (place.isCredential || CREDENTIAL_TEXTS.some((one) => one.test(text))) return MASK;
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item, index) =>
      typeof item === "string" && isCredentialFlag(value[index - 1])
        ? MASK
        : masked(item, place, depth + 1)
    );
  }
  const members = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  // An environment variable, as in { name: "DB_PASSWORD", value: "…" }.
  // Or an operation of a JSON patch, as in { op: "add", path: "/data/password", value: "…" }.
  const { kind, name, path } = members;
  const isNamed = [name, path].some((one) =>
    typeof one === "string" && (CREDENTIAL.test(one) || one.includes(LAST_APPLIED.split("/")[1]!))
  );
  for (const member of Object.keys(members).slice(0, MAX_ITEMS)) {
    if (member === "managedFields" && place.name === "metadata") continue;
    const inner = members[member];
    // A Secret within another object, as in a List or a template.
    const isData = member === "stringData" || (member === "data" && kind === "Secret");
    const isHidden = member === LAST_APPLIED || (isNamed && member === "value");
    // The key within a Secret, as in { name: "db", key: "password" } and { key: "password", path: "file" }.
    const isSelector = member === "key" && (name !== undefined || path !== undefined);
    const at = isSelector ? { name: member, isCredential: false } : placeOf(member, place);
    setOwn(copy, member, isHidden ? MASK : isData ? hidden(inner) : masked(inner, at, depth + 1));
  }
  return copy;
}

/** Reports whether an argument is a flag that takes a credential, as in `--password`. */
function isCredentialFlag(argument: unknown): boolean {
  return typeof argument === "string" && FLAG.test(argument) && CREDENTIAL.test(argument) &&
    !REFERENCE.test(argument);
}
