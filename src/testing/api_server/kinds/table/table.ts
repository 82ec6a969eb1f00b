import type { KubeObject, ListMeta } from "@kubeloop/controller/types";
import {
  getObject,
  getPath,
  getString,
  humanAge,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { canonical, type KindInfo, SCHEMAS } from "../../schema/mod.ts";
import { type Column, COLUMNS, CREATED_AT, NAME, SCALE_COLUMNS } from "./columns.ts";
import { customColumns, customRow } from "./custom_row.ts";
import { podConditions } from "./pod_row.ts";
import { type Row, ROWS } from "./rows.ts";

/** The options of {@linkcode toTable}. */
export interface TableOptions {
  /** The current time, in milliseconds since the epoch, from which ages are computed. */
  readonly nowMs: number;
  /** What each row includes of its object. */
  readonly includeObject: "None" | "Metadata" | "Object";
  /** The list metadata of the Table. */
  readonly listMeta: ListMeta;
  /** Whether to omit the column definitions, as in a watch after its first event. */
  readonly omitColumns?: boolean;
}

/**
 * Returns the Table of `objects`, which must all be of `kind`. Accepts objects with empty metadata, as in a bookmark.
 */
export function toTable(
  kind: KindInfo,
  objects: readonly KubeObject[],
  options: TableOptions,
): JsonObject {
  const { columns, row } = printerOf(kind);
  const isPod = kind.group === "" && kind.plural === "pods";
  const rows = objects.map((object) => {
    const json = object as unknown as JsonObject;
    const conditions = isPod ? podConditions(json) : undefined;
    return {
      cells: row(json, options.nowMs),
      ...(conditions === undefined ? {} : { conditions }),
      object: included(json, options.includeObject),
    };
  });
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.listMeta as unknown as Json,
    columnDefinitions: options.omitColumns === true ? null : columns as unknown as Json,
    rows,
  };
}

function included(object: JsonObject, include: TableOptions["includeObject"]): Json {
  if (include === "None") return null;
  return include === "Object" ? object : partial(object);
}

function printerOf(kind: KindInfo): { columns: readonly Column[]; row: Row } {
  if (kind.kind === "Scale") return { columns: SCALE_COLUMNS, row: scaleRow };
  if (kind.custom !== undefined) {
    return { columns: customColumns(kind.custom), row: customRow(kind.custom) };
  }
  const group = kind.group === "events.k8s.io" ? "" : kind.group;
  const resource = group === "" ? kind.plural : `${group}/${kind.plural}`;
  const columns = COLUMNS.get(resource);
  const row = ROWS.get(resource);
  if (columns !== undefined && row !== undefined) return { columns, row };
  return { columns: [NAME, CREATED_AT], row: createdRow };
}

function scaleRow(object: JsonObject, nowMs: number): Json[] {
  const created = getString(object, "metadata", "creationTimestamp");
  return [
    getString(object, "metadata", "name"),
    getPath(object, "spec", "replicas") ?? 0,
    getPath(object, "status", "replicas") ?? 0,
    humanAge(created, nowMs),
  ];
}

/** Returns the name and the creation time. Go prints a missing time as the zero time. */
function createdRow(object: JsonObject): Json[] {
  const created = getString(object, "metadata", "creationTimestamp");
  return [getString(object, "metadata", "name"), created || "0001-01-01T00:00:00Z"];
}

/** Returns the PartialObjectMetadata of an object. */
export function toPartialObjectMetadata(object: KubeObject): JsonObject {
  return partial(object as unknown as JsonObject);
}

function partial(object: JsonObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: canonical({ ...getObject(object, "metadata") }, SCHEMAS.struct("meta.ObjectMeta")),
  };
}

/** Returns the PartialObjectMetadataList of several objects. `items` is null if there are none, as Go encodes it. */
export function toPartialObjectMetadataList(
  objects: readonly KubeObject[],
  listMeta: ListMeta,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMeta as unknown as Json,
    items: objects.length === 0 ? null : objects.map(toPartialObjectMetadata),
  };
}
