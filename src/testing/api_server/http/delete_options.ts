import { type DecodeFindings, decodeTyped, SCHEMAS, TYPE_META } from "../schema/mod.ts";
import {
  type ApiError,
  badRequest,
  type FieldError,
  invalidValue,
  isObject,
  type Json,
  jsonTypeName,
  notSupported,
  parseJson,
  type StructType,
} from "../../values/mod.ts";
import { integerParameter } from "./list_options.ts";
import { isTrue } from "./request_info.ts";
import { optionsInvalid } from "./write_options.ts";
import { YamlError, yamlToJson } from "../yaml/mod.ts";

/** The finalizer that a foreground deletion adds for the garbage collector. */
const FOREGROUND = "foregroundDeletion";

/** The finalizer that an orphaning deletion adds for the garbage collector. */
const ORPHAN = "orphan";

/** The options of a deletion. */
export interface DeleteOptions {
  /** The grace period of a Pod, in seconds. */
  readonly gracePeriodSeconds?: number | undefined;
  /** The deletion propagation policy, for the dependents of the object. */
  readonly propagationPolicy?: string | undefined;
  /** The UID and resource version that the object must still have. */
  readonly preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  /** Whether the deletion is a dry run, which stores nothing. */
  readonly dryRun: boolean;
  /** Whether to delete an object only if it cannot be read. Then finalizers and webhooks are ignored. */
  readonly isUnsafe: boolean;
}

/** The options as a request gives them. */
interface GivenOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: string;
  orphanDependents?: boolean;
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** The fields of the options of a deletion. */
export const DELETE_OPTIONS: StructType = SCHEMAS.struct("meta.DeleteOptions");

const UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

const POLICIES: ReadonlySet<string> = new Set(["Foreground", "Background", "Orphan"]);

/**
 * Reads the options from the body or, if it is empty, from the query.
 *
 * @param type The media type of the body: JSON, unless it is `application/yaml`.
 * @param allowsUnsafe Whether objects that cannot be read may be deleted. If not, that option has no effect.
 * @throws {ApiError} 400, if they cannot be read; 422, if an option is invalid.
 */
export function readDeleteOptions(
  text: string,
  query: URLSearchParams,
  type: string = "",
  allowsUnsafe: boolean = false,
): DeleteOptions {
  const body = text.trim() === "" ? fromQuery(query) : parse(text, type);
  const { gracePeriodSeconds, propagationPolicy, preconditions, orphanDependents } = body;
  const { dryRun = [] } = body;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        "propagationPolicy",
        propagationPolicy,
        "orphanDependents and deletionPropagation cannot be both set",
      ),
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.has(propagationPolicy)) {
    errors.push(notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]));
  }
  const unknown = dryRun.filter((value) => value !== "All");
  if (unknown.length > 0) errors.push(notSupported("dryRun", dryRun, ["All"]));
  const isUnsafe = allowsUnsafe && body[UNSAFE] === true;
  if (isUnsafe) errors.push(...unsafeErrors(body));
  if (errors.length > 0) throw optionsInvalid("DeleteOptions", errors);
  return {
    gracePeriodSeconds,
    propagationPolicy: propagationPolicy ?? policyOf(orphanDependents),
    preconditions,
    dryRun: dryRun.length > 0,
    isUnsafe,
  };
}

/** Returns the errors for options that an unsafe deletion cannot have. */
function unsafeErrors(options: GivenOptions): FieldError[] {
  const others = [
    "propagationPolicy",
    "orphanDependents",
    "gracePeriodSeconds",
    "preconditions",
  ] as const;
  return others.filter((name) => options[name] !== undefined)
    .map((name) => invalidValue(UNSAFE, true, `cannot be set together with .${name}`));
}

/** Returns the error for an unsafe deletion of a collection. */
export function unsafeCollection(): ApiError {
  const why = "is not allowed with DELETECOLLECTION, try again after removing the option";
  return optionsInvalid("DeleteOptions", [invalidValue(UNSAFE, true, why)]);
}

/** Converts `orphanDependents` to a propagation policy. */
function policyOf(orphanDependents: boolean | undefined): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? "Orphan" : "Background";
}

function fromQuery(query: URLSearchParams): GivenOptions {
  const out: GivenOptions = {};
  const policy = query.get("propagationPolicy");
  if (policy !== null) out.propagationPolicy = policy;
  const orphan = query.get("orphanDependents");
  if (orphan !== null) out.orphanDependents = isTrue(orphan);
  const grace = integerParameter(query, "gracePeriodSeconds");
  if (grace !== undefined) out.gracePeriodSeconds = grace;
  const uid = query.get("uid");
  const resourceVersion = query.get("resourceVersion");
  if (uid || resourceVersion) {
    out.preconditions = {
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    };
  }
  const dryRun = query.getAll("dryRun");
  if (dryRun.length > 0) out.dryRun = dryRun;
  const unsafe = query.get(UNSAFE);
  if (unsafe !== null) out[UNSAFE] = isTrue(unsafe);
  return out;
}

function parse(text: string, type: string): GivenOptions {
  const value = type === "application/yaml" ? fromYaml(text) : fromJson(text);
  if (value === null) return {};
  if (!isObject(value)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${
        jsonTypeName(value)
      } into Go value of type ${TYPE_META}`,
    );
  }
  const { kind = "DeleteOptions", apiVersion = "meta.k8s.io/v1" } = value;
  for (const [name, given] of Object.entries({ kind, apiVersion })) {
    if (given === null || typeof given === "string") continue;
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${
        jsonTypeName(given)
      } into Go struct field .${name} of type string`,
    );
  }
  if (kind !== "DeleteOptions") {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${
        JSON.stringify(apiVersion)
      } in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const findings: DecodeFindings = { strict: [], error: undefined };
  const options = decodeTyped(value, DELETE_OPTIONS, findings);
  if (findings.error !== undefined) throw badRequest(findings.error);
  return options as GivenOptions;
}

function fromJson(text: string): Json {
  try {
    return parseJson(text, false).value;
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function fromYaml(text: string): Json {
  try {
    return yamlToJson(text).value;
  } catch (error) {
    if (error instanceof YamlError) throw badRequest(error.message);
    throw error;
  }
}

/** Returns the finalizers of an object after a deletion with these options. */
export function finalizersFor(
  present: readonly string[],
  { propagationPolicy }: DeleteOptions,
): string[] {
  if (propagationPolicy === undefined) return [...present];
  const others = present.filter((name) => name !== FOREGROUND && name !== ORPHAN);
  if (propagationPolicy === "Foreground") others.push(FOREGROUND);
  if (propagationPolicy === "Orphan") others.push(ORPHAN);
  return others;
}
