import { jsonEqual, own } from "../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../types/mod.ts";
import { Differ, pairByIndex, pairByName } from "./differ.ts";
import { type ElementPath, pathText } from "./field_path.ts";
import { VERSION_METADATA } from "./server_metadata.ts";

/** The maximum number of fields of one change. */
const MAX_FIELDS = 8;

/** The part of a path that is shown. */
const LIMITS = { maxSteps: 8, maxLength: 80 };

/** The maximum number of values of one object that are compared. */
const MAX_VISITED = 50_000;

/** The result of comparing two versions of an object. */
export interface Comparison {
  /** The paths of the fields that differ. */
  readonly paths: readonly ElementPath[];
  /** Whether there may be more of them. */
  readonly isCut: boolean;
  /** The number of values that were compared: the cost of the comparison. */
  readonly visited: number;
}

/** Compares two versions of an object. */
export function compareVersions(
  before: DeepReadonly<KubeObject>,
  after: DeepReadonly<KubeObject>,
): Comparison {
  const paths: ElementPath[] = [];
  const options = { pairItems, maxVisited: MAX_VISITED, skippedMetadata: VERSION_METADATA };
  const differ = new Differ(options, (path) => {
    if (paths.length >= MAX_FIELDS) differ.isStopped = true;
    else paths.push([...path]);
  });
  differ.compare(before, after);
  if (paths.length === 0) {
    for (const field of VERSION_METADATA) {
      const isSame = jsonEqual(own(before.metadata, field), own(after.metadata, field));
      if (!isSame) paths.push(["f:metadata", `f:${field}`]);
    }
  }
  return { paths, isCut: differ.isStopped, visited: differ.visited };
}

/** Pairs items by name or, in lists of equal length, by index. Without names, a list of another length differs as a whole. */
function pairItems(before: readonly unknown[], after: readonly unknown[]) {
  return pairByName(before, after) ??
    (before.length === after.length ? pairByIndex(before, after) : undefined);
}

/** Returns the paths of a comparison as text. */
export function pathTexts({ isCut, paths }: Comparison): string[] {
  const texts = [...new Set(paths.map((path) => pathText(path, LIMITS)))];
  if (isCut) texts.push("…");
  return texts;
}

/**
 * Returns the paths of the fields that differ between two versions of an object: eight at most, followed by `…` if there are
 * more. The paths contain no values, except for the `name`, `type` or `uid` of an item of a list, as in
 * `spec.containers[name=web].image`. `managedFields`, `resourceVersion` and `generation` are left out, unless only they differ.
 *
 * @param before The older version.
 * @param after The newer version.
 *
 * @example
 * ```ts
 * import { changedFields } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const before = { metadata: { name: "web" }, spec: { replicas: 1, image: "a" } };
 * const after = { metadata: { name: "web", labels: { "acme.io/x": "1" } }, spec: { replicas: 2, image: "a" } };
 * assertEquals(changedFields(before, after), ["metadata.labels", "spec.replicas"]);
 * ```
 */
export function changedFields(
  before: DeepReadonly<KubeObject>,
  after: DeepReadonly<KubeObject>,
): string[] {
  return pathTexts(compareVersions(before, after));
}
