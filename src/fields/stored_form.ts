import {
  formatQuantity,
  isRecord,
  jsonEqual,
  own,
  parseQuantity,
  storedQuantity,
} from "../base/mod.ts";
import { completed, isAllocated, withoutAddedTolerations, zeroDefault } from "./stored_defaults.ts";
import { isStoredVersions } from "./stored_definition.ts";
import { DROPPED, FILLED, GRANULAR, TIMES } from "./stored_fields.ts";

/** The API groups of built-in kinds, without `.k8s.io` at the end. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "",
  "admissionregistration",
  "apiextensions",
  "apiregistration",
  "apps",
  "authentication",
  "authorization",
  "autoscaling",
  "batch",
  "certificates",
  "coordination",
  "discovery",
  "events",
  "flowcontrol.apiserver",
  "networking",
  "node",
  "policy",
  "rbac.authorization",
  "resource",
  "scheduling",
  "storage",
]);

/** Maps with amounts of resources as values. */
const AMOUNT_MAPS: ReadonlySet<string> = new Set([
  "f:allocatable",
  "f:capacity",
  "f:default",
  "f:defaultRequest",
  "f:hard",
  "f:limits",
  "f:max",
  "f:maxLimitRequestRatio",
  "f:min",
  "f:overhead",
  "f:podFixed",
  "f:requests",
]);

/** Other fields with quantities, by the end of the path. */
const QUANTITIES: ReadonlySet<string> = new Set([
  "capacity",
  "emptyDir/sizeLimit",
  "maximumVolumeSize",
  "requestPolicy/default",
  "resourceFieldRef/divisor",
  "scaleDown/tolerance",
  "scaleUp/tolerance",
  "target/averageValue",
  "target/value",
  "validRange/max",
  "validRange/min",
  "validRange/step",
]);

/** Maps that the server does not store if they are empty. It stores other empty objects, such as an `emptyDir`. */
const MAPS: ReadonlySet<string> = new Set([
  ...AMOUNT_MAPS,
  "f:annotations",
  "f:attributes",
  "f:binaryData",
  "f:data",
  "f:labels",
  "f:matchLabels",
  "f:mutableParameters",
  "f:nodeSelector",
  "f:options",
  "f:parameters",
  "f:userAnnotations",
  "f:volumeAttributes",
]);

/** Fields with this name exist in several kinds of objects, so that the field around them is needed too. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["ports", "resourceRules"]);

const NANOS_PER_MILLI = 1_000_000n;

/** The tables of `stored_fields.ts`, parsed on first use. */
interface FieldTables {
  readonly dropped: ReadonlySet<string>;
  readonly filled: ReadonlySet<string>;
  readonly granular: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
}

let tables: FieldTables | undefined;

function fieldTables(): FieldTables {
  return tables ??= {
    dropped: pairsOf(DROPPED),
    filled: pairsOf(FILLED),
    granular: pairsOf(GRANULAR),
    times: new Set(TIMES.split(" ")),
  };
}

/** Reads lines such as `tls: hosts secretName` as `tls/hosts` and `tls/secretName`. */
function pairsOf(table: string): Set<string> {
  const pairs = new Set<string>();
  for (const line of table.trim().split("\n")) {
    const [parents = "", names = ""] = line.split(": ");
    for (const parent of parents.split(" ")) {
      for (const name of names.split(" ")) pairs.add(`${parent}/${name}`);
    }
  }
  return pairs;
}

/** Reports whether a kind is built in. */
export function isBuiltIn(apiVersion: string): boolean {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  return BUILT_IN.has(group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group);
}

/** Reports whether the fields of an object have separate owners. An applier can then own the object itself only while it is empty. */
export function isGranular(path: readonly string[]): boolean {
  const field = fieldOf(path);
  return field !== undefined && fieldTables().granular.has(field);
}

/** The form in which the server stores the values of an object of a built-in kind, by their paths. */
export class StoredForm {
  readonly #apiVersion: string;
  readonly #kind: unknown;

  constructor(apiVersion: string, kind: unknown) {
    this.#apiVersion = apiVersion;
    this.#kind = kind;
  }

  /** Reports whether the server omits an empty object at a path. */
  dropsEmpty(path: readonly string[]): boolean {
    return MAPS.has(path.at(-1) ?? "") || isDroppedAt(path);
  }

  /**
   * Reports whether the server stores `desired` as `live`: with quantities and times in canonical form, with defaults, and
   * without empty values.
   *
   * @param desired A scalar, or a value that is owned as a whole.
   * @param live The stored value.
   * @param path The path of the value. The call changes it, and restores it.
   * @param around The desired object that contains the value.
   */
  isStoredAs(
    desired: unknown,
    live: unknown,
    path: string[],
    around: Readonly<Record<string, unknown>>,
  ): boolean {
    switch (path[0]) {
      case "f:data":
        return this.#kind === "Secret" ? isSameBase64(desired, live) : jsonEqual(desired, live);
      case "f:binaryData":
        return isSameBase64(desired, live);
    }
    if (this.#apiVersion.startsWith("apiextensions.k8s.io/") && path[1] === "f:versions") {
      return isStoredVersions(desired, live);
    }
    if (isEmpty(desired) && (isAllocated(path) || jsonEqual(live, zeroDefault(path, around)))) {
      return true;
    }
    if (this.#kind === "Pod" && path.length === 2 && path[1] === "f:tolerations") {
      if (!Array.isArray(desired) || !Array.isArray(live)) return false;
      return isStored(desired, withoutAddedTolerations(desired, live), path);
    }
    return isStored(desired, live, path);
  }
}

function isStored(desired: unknown, live: unknown, path: string[]): boolean {
  if (Array.isArray(desired)) {
    const items = live ?? [];
    return Array.isArray(items) && items.length === desired.length &&
      desired.every((item, i) => isStored(item, items[i], path));
  }
  if (!isRecord(desired)) {
    return desired === live || isStoredQuantity(desired, live, path) ||
      isStoredTime(desired, live, path);
  }
  if (!isRecord(live)) return false;
  const wanted = completed(desired, path);
  return everyField(wanted, path, (value, key) => {
    const stored = own(live, key);
    return stored === undefined ? isDropped(value, path) : isStored(value, stored, path);
  }) && everyField(live, path, (value, key) => Object.hasOwn(wanted, key) || isFilled(value, path));
}

/** Reports whether a test holds for each field of an object. `path` has the field during the test. */
function everyField(
  object: Readonly<Record<string, unknown>>,
  path: string[],
  test: (value: unknown, key: string) => boolean,
): boolean {
  for (const key of Object.keys(object)) {
    path.push(`f:${key}`);
    const holds = test(object[key], key);
    path.pop();
    if (!holds) return false;
  }
  return true;
}

/** Reports whether the server omits a value because it is empty. */
function isDropped(value: unknown, path: readonly string[]): boolean {
  return isEmpty(value) && isDroppedAt(path);
}

function isDroppedAt(path: readonly string[]): boolean {
  return fieldTables().dropped.has(fieldOf(path) ?? "");
}

/** Reports whether the server has added a value that was absent. */
function isFilled(value: unknown, path: readonly string[]): boolean {
  // A client cannot apply null.
  return value === null ||
    (isEmptyInside(value) && fieldTables().filled.has(fieldOf(path) ?? ""));
}

/** Reports whether a scalar is the zero value of its type. */
export function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === 0n || value === false;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isZero(value) || (isRecord(value) && Object.keys(value).length === 0);
}

/** Reports whether a value is empty, or contains only empty values. */
function isEmptyInside(value: unknown): boolean {
  return value === null || value === "0" || isEmpty(value) ||
    (isRecord(value) && Object.values(value).every(isEmptyInside));
}

/** Returns the last field of a path with its parent, as in `tls/hosts`; undefined for an item of a list. */
function fieldOf(path: readonly string[]): string | undefined {
  const names: string[] = [];
  for (let i = path.length - 1; i >= 0 && names.length < 3; i--) {
    const element = path[i]!;
    if (element.startsWith("f:")) names.push(element.slice(2));
    else if (i === path.length - 1) return undefined;
  }
  const [name = "", parent = "", around = ""] = names;
  return `${AMBIGUOUS.has(parent) ? `${around}.${parent}` : parent}/${name}`;
}

/** Reports whether two texts in base64 have the same bytes. The server stores base64 without line breaks. */
function isSameBase64(desired: unknown, live: unknown): boolean {
  if (desired === live) return true;
  if (typeof desired !== "string" || typeof live !== "string") return jsonEqual(desired, live);
  try {
    return atob(desired) === atob(live);
  } catch {
    return false;
  }
}

function isStoredQuantity(desired: unknown, live: unknown, path: readonly string[]): boolean {
  if (typeof live !== "string" || (typeof desired !== "string" && typeof desired !== "number")) {
    return false;
  }
  const isAmount = AMOUNT_MAPS.has(path.at(-2) ?? "");
  const field = fieldOf(path) ?? "";
  if (!isAmount && !QUANTITIES.has(field.startsWith("/") ? field.slice(1) : field)) return false;
  const quantity = parseQuantity(`${desired}`);
  if (quantity === undefined) return false;
  const { nano } = quantity;
  const rest = nano % NANOS_PER_MILLI;
  if (!isAmount || rest === 0n) return storedQuantity(`${desired}`) === live;
  // Amounts are rounded up.
  const rounded = rest > 0n ? nano - rest + NANOS_PER_MILLI : nano - rest;
  return formatQuantity({ ...quantity, nano: rounded }) === live;
}

/** Reports whether two texts are the same time. The server stores times in UTC, with seconds or microseconds. */
function isStoredTime(desired: unknown, live: unknown, path: readonly string[]): boolean {
  if (typeof desired !== "string" || typeof live !== "string") return false;
  if (!fieldTables().times.has(path.at(-1)?.slice(2) ?? "")) return false;
  const micros = /\.[0-9]{6}/.exec(live)?.[0];
  return micros === undefined
    ? Date.parse(live) === Math.floor(Date.parse(desired) / 1_000) * 1_000
    : Date.parse(live) === Date.parse(desired) && desired.includes(micros);
}
