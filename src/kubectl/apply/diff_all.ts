import type { Client } from "@kubeloop/controller/client";
import { isRecord, type OptionChecks, requireOptions } from "@kubeloop/controller/internal/base";
import {
  fieldChanges,
  LAST_APPLIED,
  SERVER_METADATA,
  withoutMetadata,
} from "@kubeloop/controller/internal/fields";
import { writeYaml } from "@kubeloop/controller/internal/yaml";
import type { DeepReadonly, KubeObject } from "@kubeloop/controller/types";
import { type ApplyAllOptions, applyRun, requireApplyClient } from "./apply_all.ts";
import type { Applied } from "./apply_one.ts";
import type { Manifests } from "./manifests.ts";
import { CHANGE_CHECKS } from "./option_checks.ts";
import { type ApplyResult, nameOf, succeeded } from "./results.ts";
import { unifiedDiff } from "./unified_diff.ts";

/** Options of {@linkcode diffAll}. */
export interface DiffAllOptions extends
  Pick<
    ApplyAllOptions,
    | "applySet"
    | "concurrency"
    | "fieldManager"
    | "force"
    | "namespace"
    | "prune"
    | "signal"
    | "timeoutMs"
  > {}

const CHECKS: OptionChecks<DiffAllOptions> = CHANGE_CHECKS;

/** The change of a field. */
export interface FieldDifference {
  /** The path of the field, as in `spec.containers[name=web].image`. */
  readonly path: string;
  /** The old value; undefined if there was none, or if it is the data of a Secret. */
  readonly before?: unknown;
  /** The new value; undefined if there is none, or if it is the data of a Secret. */
  readonly after?: unknown;
}

/** The change that an apply would make to an object. */
export interface DiffResult extends ApplyResult {
  /** The change in the unified diff format; empty if nothing changes. The data of Secrets is hidden. */
  readonly text: string;
  /** The changed fields, except for the status and the metadata that the server sets. */
  readonly changes: readonly FieldDifference[];
}

/**
 * Returns the changes that {@linkcode applyAll} would make, by a dry run on the server, as `kubectl diff --server-side` does.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The options of `applyAll` that affect the changes.
 * @returns The changes of all objects, in the order in which they would be applied.
 * @throws {SyntaxError} If a text is neither YAML nor JSON. The message names the line and the column.
 * @throws {TypeError} If a part of the input is not an object with an apiVersion, a kind and a name, or an option is invalid.
 * @throws {ApplyError} If objects would fail. Its `results` has the results of all objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { applyAll, diffAll } from "@kubeloop/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const metadata = { name: "colors", namespace: "default" };
 * const colors = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { sky: "blue" } };
 * await applyAll(client, colors);
 *
 * const [change] = await diffAll(client, { ...colors, data: { sky: "grey" } });
 * assertEquals(change?.changes, [{ path: "data.sky", before: "blue", after: "grey" }]);
 * assertEquals(
 *   change?.text,
 *   `--- ConfigMap default/colors
 * +++ ConfigMap default/colors
 * @@ -1,6 +1,6 @@
 *  apiVersion: v1
 *  data:
 * -  sky: blue
 * +  sky: grey
 *  kind: ConfigMap
 *  metadata:
 *    name: colors
 * `,
 * );
 * ```
 */
export async function diffAll(
  client: Client,
  input: Manifests,
  options: DiffAllOptions = {},
): Promise<DiffResult[]> {
  requireApplyClient(client);
  requireOptions("diffAll()", options, CHECKS);
  const { applied } = await applyRun(client, input, { ...options, dryRun: true });
  return succeeded("diff", client, applied.map(resultOf), options.signal);
}

function textOf(object: unknown): string {
  return object === undefined ? "" : writeYaml(object, { sortKeys: true });
}

function resultOf(applied: Applied): DiffResult {
  const { result } = applied;
  if (result.error !== undefined) return { ...result, text: "", changes: [] };
  const before = shownPart(applied.before);
  const after = shownPart(applied.after);
  const changes = fieldChanges(before, after).map((change): FieldDifference => ({
    path: change.path,
    ...(change.before !== undefined && !change.isHidden && { before: change.before }),
    ...(change.after !== undefined && !change.isHidden && { after: change.after }),
  }));
  const hunks = unifiedDiff(
    textOf(hideSecrets(before, after, "before")),
    textOf(hideSecrets(after, before, "after")),
  );
  const name = nameOf(result);
  const head = (sign: string, object: unknown) => `${sign} ${object ? name : "/dev/null"}\n`;
  const text = hunks === "" ? "" : head("---", before) + head("+++", after) + hunks;
  return { ...result, text, changes };
}

/** Returns an object without its status and the metadata that the server sets. */
function shownPart(
  object: DeepReadonly<KubeObject> | undefined,
): DeepReadonly<KubeObject> | undefined {
  if (object === undefined) return undefined;
  const { status: _status, ...rest } = withoutMetadata(object, SERVER_METADATA) as
    & DeepReadonly<KubeObject>
    & { readonly status?: unknown };
  return rest;
}

/** Hides the data of a Secret. Different placeholders show that a value differs from the one of the other object. */
function hideSecrets(
  object: DeepReadonly<KubeObject> | undefined,
  other: DeepReadonly<KubeObject> | undefined,
  side: "before" | "after",
): unknown {
  if (object?.kind !== "Secret") return object;
  const hide = (part: unknown, otherPart: unknown) => {
    if (!isRecord(part)) return part;
    const others = isRecord(otherPart) ? otherPart : {};
    const values = Object.entries(part).map(([key, value]) => {
      const isSame = Object.hasOwn(others, key) && others[key] === value;
      return [key, isSame || other === undefined ? "(hidden)" : `(hidden, ${side})`];
    });
    return Object.fromEntries(values);
  };
  type SecretData = { readonly data?: unknown; readonly stringData?: unknown };
  const { annotations } = object.metadata;
  const metadata = annotations?.[LAST_APPLIED] === undefined ? object.metadata : {
    ...object.metadata,
    annotations: { ...annotations, [LAST_APPLIED]: `(hidden, ${side})` },
  };
  const { data, stringData, ...rest } = object as DeepReadonly<KubeObject> & SecretData;
  const { data: otherData, stringData: otherText } = (other ?? {}) as SecretData;
  return {
    ...rest,
    metadata,
    ...(data === undefined ? {} : { data: hide(data, otherData) }),
    ...(stringData === undefined ? {} : { stringData: hide(stringData, otherText) }),
  };
}
