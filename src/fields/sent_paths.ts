import { isRecord } from "../base/mod.ts";
import { pathText } from "./field_path.ts";

/** The part of a path that is shown. */
const LIMITS = { maxSteps: 8, maxLength: 80 };

/** The maximum number of fields that are visited. */
const MAX_VISITED = 5_000;

/** The fields by which items of lists are named, in the order of preference. */
const ITEM_KEYS: readonly string[] = ["name", "type", "uid"];

/** The fields that only identify the object. */
const IDENTITY: ReadonlySet<string> = new Set(["apiVersion", "kind"]);
const IDENTITY_METADATA: ReadonlySet<string> = new Set([
  "name",
  "namespace",
  "generateName",
  "uid",
  "resourceVersion",
]);

/** The paths of the fields of a body. */
export interface SentPaths {
  /** The paths, in the order of the body. */
  readonly paths: readonly string[];
  /** The number of further fields. */
  readonly more: number;
}

/**
 * Returns the paths of the fields that the body of a write has: of an object, of a merge patch, or of a JSON patch. Fields that
 * only identify the object are omitted. The paths contain no values, except for the `name`, `type` or `uid` of an item of a
 * list.
 *
 * @param body The body, as a JSON value.
 * @param max The maximum number of paths.
 */
export function sentPaths(body: unknown, max: number): SentPaths {
  const paths: string[] = [];
  let more = 0;
  let visited = 0;
  const path: string[] = [];
  const add = (steps: readonly string[]) => {
    // Each write is read, and its text takes most of the time: further fields are only counted.
    if (paths.length >= max) {
      more++;
      return;
    }
    const text = pathText(steps, LIMITS);
    if (!paths.includes(text)) paths.push(text);
  };
  const visit = (value: unknown): void => {
    if (++visited > MAX_VISITED) return;
    if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) {
      value.forEach((item, index) => within(`${itemOf(item, index)}`, item));
    } else if (isRecord(value) && Object.keys(value).length > 0) {
      for (const name of Object.keys(value)) {
        if (path.length === 0 && IDENTITY.has(name)) continue;
        const isOfMetadata = path.length === 1 && path[0] === "f:metadata";
        if (isOfMetadata && IDENTITY_METADATA.has(name)) continue;
        // The owner of an object is one fact.
        if (isOfMetadata && name === "ownerReferences") add([...path, `f:${name}`]);
        else within(`f:${name}`, value[name]);
      }
    } else if (path.length > 0) add(path);
  };
  const within = (element: string, value: unknown) => {
    path.push(element);
    // A deeper path would have the same text.
    if (path.length > LIMITS.maxSteps) add(path);
    else visit(value);
    path.pop();
  };
  if (!Array.isArray(body)) visit(body);
  else {
    for (const operation of body) {
      const steps = stepsOfOperation(operation);
      if (steps === undefined) more++;
      else add(steps);
    }
  }
  return { paths, more };
}

/** Returns the path of an operation of a JSON patch; undefined if it has none. */
function stepsOfOperation(operation: unknown): readonly string[] | undefined {
  const pointer = isRecord(operation) ? operation["path"] : undefined;
  if (typeof pointer !== "string") return undefined;
  return pointer.split("/").slice(1)
    .map((step) => `f:${step.replaceAll("~1", "/").replaceAll("~0", "~")}`);
}

function itemOf(item: Readonly<Record<string, unknown>>, index: number): string {
  for (const key of ITEM_KEYS) {
    const value = item[key];
    if (typeof value === "string") return `k:${JSON.stringify({ [key]: value })}`;
  }
  return `i:${index}`;
}
