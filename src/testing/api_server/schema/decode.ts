import type { KubeObject } from "@kubeloop/controller/types";
import {
  type ApiError,
  badRequest,
  encodeJson,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonNotes,
  type JsonObject,
  jsonTypeName,
  NO_NOTES,
  parseJson,
  sortKeys,
} from "../../values/mod.ts";
import { apiVersionOf, type KindInfo } from "./kind.ts";
import { SCHEMAS, schemasOf } from "./builtin.ts";
import { groupOfFormer } from "./former_kinds.ts";
import { prune } from "./prune.ts";
import {
  type DecodeFindings,
  decodeTyped,
  MAX_FINDINGS,
  type Mismatch,
  showFinding,
} from "./typed.ts";

/** How the server treats unknown and duplicate fields of a request body. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** An object decoded from a request body. */
export interface Decoded {
  /** The object in the form in which it is stored, before defaulting. */
  readonly object: KubeObject;
  /** The warnings to send with the response. */
  readonly warnings: readonly string[];
}

/**
 * The error for a value that cannot be decoded as its kind.
 *
 * Its message is only the reason, not the whole server message.
 */
export class DecodeError extends Error {
  /** Always `DecodeError`. */
  override readonly name: string = "DecodeError";
  /** The value of the wrong type, if that is the reason. */
  readonly mismatch: Mismatch | undefined;

  /** Creates an error for a reason. */
  constructor(reason: string, mismatch?: Mismatch) {
    super(reason);
    this.mismatch = mismatch;
  }
}

/** The end of an error message about an unknown kind: the source location of the Go scheme. */
export const SCHEME = 'in scheme "pkg/runtime/scheme.go:111"';

/** The Go type into which the server decodes `apiVersion` and `kind`; it is part of an error message. */
export const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The kinds that are registered in every group version. */
const OPTION_KINDS: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);

/** The other kinds without fields to decode that are registered in the version v1 of the core group. */
const CORE_KINDS: ReadonlySet<string> = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "List",
  "Status",
]);

/** The Go packages of the server's internal types by API group, for groups whose package has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "core",
  "coordination.k8s.io": "coordination",
  "rbac.authorization.k8s.io": "rbac",
  "authorization.k8s.io": "authorization",
  "authentication.k8s.io": "authentication",
  "admissionregistration.k8s.io": "admissionregistration",
  "apiextensions.k8s.io": "apiextensions",
};

/**
 * Decodes the body of a create or an update.
 *
 * @throws {ApiError} 400 if the body is not JSON or not an object of this kind, or if it has unknown or duplicate
 * fields under `Strict` field validation.
 */
export function decodeObject(
  text: string,
  kind: KindInfo,
  fieldValidation: FieldValidation,
): Decoded {
  let parsed;
  try {
    parsed = parseJson(text, kind.custom === undefined);
  } catch (error) {
    const reason = `couldn't get version/kind; json parse error: ${(error as Error).message}`;
    throw unrecognized(kind, reason, text);
  }
  return decode(parsed.value, kind, fieldValidation, text, parsed);
}

/**
 * Decodes the body of a create or an update that is already parsed, for example from YAML.
 *
 * Like {@linkcode decodeObject}, but without a check for duplicate fields.
 *
 * @param source The body from which `value` was parsed, for error messages, and what its parser has found: the keys that
 * occur twice.
 */
export function decodeValue(
  value: Json,
  kind: KindInfo,
  fieldValidation: FieldValidation,
  source: { readonly text: string; readonly repeated: readonly string[] },
): Decoded {
  return decode(value, kind, fieldValidation, source.text, NO_NOTES, source.repeated);
}

/** Returns the 400 error for a body in which the server cannot find `apiVersion` and `kind`. */
export function unrecognized(
  kind: KindInfo,
  reason: string,
  body: string | Uint8Array,
): ApiError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind.kind}): ${reason} (${
      summary(typeof body === "string" ? new TextEncoder().encode(body) : body)
    })`,
  );
}

function cannotHandle(kind: KindInfo, named: string, version: string, reason: string): ApiError {
  return badRequest(
    `${named} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${reason}`,
  );
}

function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const head = bytes.subarray(0, 30);
  const shown = head[0] === 0x7b
    ? new TextDecoder().decode(head)
    : [...head].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return bytes.length > 30 ? `${shown} ...` : shown;
}

function decode(
  value: Json,
  kind: KindInfo,
  fieldValidation: FieldValidation,
  text: string,
  notes: JsonNotes,
  repeated: readonly string[] = [],
): Decoded {
  const body = value ?? {};
  const reason = unrecognizable(body, kind, () => text);
  if (fieldValidation === "Ignore" && reason?.startsWith("Object 'Kind' is missing")) {
    throw cannotHandle(kind, kind.kind, kind.version, reason);
  }
  if (!isObject(body) || reason !== undefined) throw unrecognized(kind, reason ?? "", text);
  const apiVersion = getString(body, "apiVersion");
  const named = getString(body, "kind") || kind.kind;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1) || kind.version;
  const cannot = (reason: string) => cannotHandle(kind, named, version, reason);
  let result: { object: KubeObject; strict: readonly string[] };
  try {
    result = read(body, kind, notes);
  } catch (error) {
    if (error instanceof DecodeError) throw cannot(error.message);
    throw error;
  }
  const { object, strict } = result;
  if (fieldValidation === "Strict" && strict.length + repeated.length > 0) {
    throw cannot(strictError(repeated.length > 0 ? [repeatedKeys(repeated), ...strict] : strict));
  }
  checkApiVersion(object, kind);
  return { object, warnings: fieldValidation === "Warn" ? [...repeated, ...strict] : [] };
}

/** Returns why the server cannot find out the API version and kind of a value; undefined if it can. */
export function headProblem(value: Json): string | undefined {
  const mismatch = (given: Json, into: string) =>
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${
      jsonTypeName(given)
    } into Go ${into}`;
  if (!isObject(value)) return mismatch(value, `value of type ${TYPE_META}`);
  for (const key of ["kind", "apiVersion"]) {
    const given = getOwn(value, key) ?? null;
    if (given === null || typeof given === "string") continue;
    return mismatch(given, `struct field .${key} of type string`);
  }
  const apiVersion = getString(value, "apiVersion");
  return apiVersion.split("/").length > 2
    ? `unexpected GroupVersion string: ${apiVersion}`
    : undefined;
}

/**
 * Returns why the server cannot decode a value as an object of any kind; undefined if it can.
 *
 * @param text Returns the JSON of the value, for the message.
 */
function unrecognizable(value: Json, kind: KindInfo, text: () => string): string | undefined {
  const problem = headProblem(value);
  if (problem !== undefined) return problem;
  return kind.custom !== undefined && getString(value, "kind") === ""
    ? `Object 'Kind' is missing in '${text()}'`
    : undefined;
}

/** Returns the error message for the keys that occur twice in YAML. */
export function repeatedKeys(repeated: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...repeated].join("\n  ");
}

/** Returns the error message for unknown and duplicate fields under strict field validation. */
export function strictError(strict: readonly string[]): string {
  return `strict decoding error: ${strict.join(", ")}`;
}

/** The API versions that have the same fields as former ones, which are decoded but not served, of a kind. */
const SAME_KINDS: ReadonlyMap<string, string> = new Map([
  ["policy/v1beta1 Eviction", "policy/v1"],
]);

/**
 * Decodes a value as an object of this kind; `strict` lists its unknown fields.
 *
 * @param notes The notes of the parser about the texts of numbers.
 *
 * @throws {DecodeError} If the value is not such an object.
 */
export function readObject(
  value: Json,
  kind: KindInfo,
  notes: JsonNotes = NO_NOTES,
): { object: KubeObject; strict: readonly string[] } {
  const text = () => encodeJson(value, undefined, { escapeHtml: false });
  const reason = unrecognizable(value, kind, text);
  if (!isObject(value) || reason !== undefined) throw new DecodeError(reason ?? "");
  return read(value, kind, notes);
}

function read(
  body: JsonObject,
  kind: KindInfo,
  notes: JsonNotes,
): { object: KubeObject; strict: readonly string[] } {
  return kind.custom === undefined ? readBuiltin(body, kind, notes) : readCustom(body, kind, notes);
}

function readBuiltin(body: JsonObject, kind: KindInfo, notes: JsonNotes) {
  const named = getString(body, "kind") || kind.kind;
  // An empty group may be written before the version.
  const asked = withoutEmptyGroup(getString(body, "apiVersion")) || apiVersionOf(kind);
  const given = SAME_KINDS.get(`${asked} ${named}`) ?? asked;
  const [version = "", group = ""] = given.split("/").reverse();
  const bare = OPTION_KINDS.has(named) || (given === "v1" && CORE_KINDS.has(named));
  const isItself = named === kind.kind && given === apiVersionOf(kind);
  const own = isItself
    ? kind.schema
    : bare
    ? undefined
    : schemasOf(kind.release.minor).kind(group, version, named);
  const isServed = own !== undefined || bare;
  const formerly = isServed ? undefined : groupOfFormer(given, named, kind.release);
  if (!isServed && formerly === undefined) {
    throw new DecodeError(
      `no kind ${JSON.stringify(named)} is registered for version ${
        JSON.stringify(given)
      } ${SCHEME}`,
    );
  }
  // The server first decodes the body as the kind that it claims to be, and only then finds that it is the wrong kind:
  // decoding errors take precedence.
  if (own !== undefined && own !== kind.schema) {
    const findings: DecodeFindings = { strict: [], error: undefined };
    decodeTyped(body, own, findings, notes);
    if (findings.error !== undefined) throw new DecodeError(findings.error, findings.mismatch);
  }
  if (named !== kind.kind || packageOf(formerly ?? group) !== packageOf(kind.group)) {
    throw new DecodeError(
      `converting (${version}.${named}) to (${
        packageOf(kind.group)
      }.${kind.kind}): unknown conversion`,
    );
  }
  const findings: DecodeFindings = { strict: [], error: undefined };
  const object = decodeTyped(body, kind.schema, findings, notes);
  if (findings.error !== undefined) throw new DecodeError(findings.error, findings.mismatch);
  const head = { kind: named, apiVersion: given };
  return {
    object: { ...head, ...object, ...head } as unknown as KubeObject,
    strict: findings.strict,
  };
}

function withoutEmptyGroup(apiVersion: string): string {
  return apiVersion.lastIndexOf("/") === 0 ? apiVersion.slice(1) : apiVersion;
}

function packageOf(group: string): string {
  return Object.hasOwn(PACKAGES, group) ? PACKAGES[group]! : group;
}

function readCustom(body: JsonObject, kind: KindInfo, notes: JsonNotes) {
  const findings: DecodeFindings = {
    strict: [...notes.duplicates].map((path) => showFinding("duplicate", path)),
    error: undefined,
  };
  for (const literal of notes.literals.values()) {
    if (Number.isFinite(Number(literal))) continue;
    throw new DecodeError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
  }
  const meta = getOwn(body, "metadata") ?? null;
  if (meta !== null && !isObject(meta)) {
    throw new DecodeError(
      `json: cannot unmarshal ${jsonTypeName(meta)} into Go value of type v1.ObjectMeta`,
    );
  }
  const objectMeta = SCHEMAS.struct("meta.ObjectMeta");
  const unknown = Object.keys(meta ?? {}).filter((name) => !objectMeta.fields.has(name)).sort();
  const typedFindings: DecodeFindings = { strict: [], error: undefined };
  const metadata = decodeTyped(sortKeys(meta ?? {}), objectMeta, typedFindings);
  if (typedFindings.error !== undefined) throw new DecodeError(typedFindings.error);
  // A real server prunes by the schema only what claims to be of the kind.
  const isOwn = getString(body, "kind") === kind.kind &&
    getString(body, "apiVersion").split("/")[0] === kind.group;
  const pruned = isOwn
    ? prune(body, kind.custom!.schema)
    : { object: body, unknown: [], error: undefined };
  if (pruned.error !== undefined) throw new DecodeError(pruned.error);
  const paths = [...unknown.map((name) => `metadata.${name}`), ...pruned.unknown];
  const shown = paths.slice(0, MAX_FINDINGS).map((path) => showFinding("unknown", path));
  findings.strict.push(...shown);
  const object = sortKeys({ ...pruned.object, metadata: sortKeys(metadata) });
  return { object: object as unknown as KubeObject, strict: findings.strict };
}

/** Throws if the API version of the object is not that of the request: Event, for example, exists in two groups. */
function checkApiVersion(object: KubeObject, kind: KindInfo): void {
  const given = object.apiVersion ?? "";
  if (given === apiVersionOf(kind)) return;
  throw badRequest(
    `the API version in the data (${given}) does not match the expected API version (${
      apiVersionOf(kind)
    })`,
  );
}
