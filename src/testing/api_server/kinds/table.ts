import type { KubeObject, ListMeta } from "@kubeloop/controller/types";
import { canonical, type KindInfo, SCHEMAS } from "../schema/mod.ts";
import { getObject, getString, type Json, type JsonObject } from "../../values/mod.ts";
import type { KindRecord } from "./record/mod.ts";
import { recordOf } from "./record_of.ts";
import { columnsIn, CREATED_AT, NAME } from "./shared/mod.ts";

/** The options of {@linkcode toTable}. */
export interface TableOptions {
  /** The current time, in milliseconds since the epoch, from which ages are computed. */
  readonly nowMs: number;
  /** The part of its object that each row includes. */
  readonly includeObject: "None" | "Metadata" | "Object";
  /** The list metadata of the Table. */
  readonly listMeta: ListMeta;
  /** Whether to omit the column definitions, as in a watch after its first event. */
  readonly omitColumns?: boolean;
  /** The columns and rows. Default: the table of the kind. */
  readonly table?: KindRecord["table"];
}

/**
 * Returns the Table of `objects`, which must all be of `kind`. Accepts objects with empty metadata, as in a bookmark.
 */
export function toTable(
  kind: KindInfo,
  objects: readonly KubeObject[],
  options: TableOptions,
): JsonObject {
  const record = recordOf(kind);
  const table = options.table ?? record.table ?? DEFAULT_TABLE;
  const { columns, row, conditions: conditionsOf, order, repeatsColumns, hasNullRows } = table;
  const omitColumns = options.omitColumns === true && repeatsColumns !== true;
  const shown = objects as unknown as readonly JsonObject[];
  const rows = (order === undefined ? shown : shown.toSorted(order)).map((json) => {
    const conditions = conditionsOf?.(json);
    return {
      cells: row(json, options.nowMs),
      ...(conditions === undefined ? {} : { conditions }),
      object: included(json, options.includeObject, kind),
    };
  });
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.listMeta as unknown as Json,
    columnDefinitions: omitColumns ? null : columnsIn(columns, kind.release) as unknown as Json,
    // The real server fills the default Table in another way than others.
    rows: (table === DEFAULT_TABLE || hasNullRows) && rows.length === 0 ? null : rows,
  };
}

function included(
  object: JsonObject,
  include: TableOptions["includeObject"],
  kind: KindInfo,
): Json {
  if (include === "None") return null;
  return include === "Object" ? object : partial(object, kind);
}

/** The Table of a kind without columns of its own. */
const DEFAULT_TABLE: NonNullable<KindRecord["table"]> = {
  columns: [NAME, CREATED_AT],
  row: createdRow,
};

/** Returns the name and the creation time. Go prints a missing time as the zero time. */
function createdRow(object: JsonObject): Json[] {
  const created = getString(object, "metadata", "creationTimestamp");
  return [getString(object, "metadata", "name"), created || "0001-01-01T00:00:00Z"];
}

/** Returns the PartialObjectMetadata of an object. */
export function toPartialObjectMetadata(kind: KindInfo, object: KubeObject): JsonObject {
  return partial(object as unknown as JsonObject, kind);
}

function partial(object: JsonObject, kind: KindInfo): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: canonical(visibleMetadata(object, kind), SCHEMAS.struct("meta.ObjectMeta")),
  };
}

/** Returns the metadata without the annotations that the internal type of the kind has as fields. */
function visibleMetadata(object: JsonObject, kind: KindInfo): JsonObject {
  const metadata = { ...getObject(object, "metadata") };
  const { fieldAnnotations } = recordOf(kind);
  if (fieldAnnotations === undefined || metadata["annotations"] === undefined) return metadata;
  const annotations = { ...getObject(metadata, "annotations") };
  for (const name of fieldAnnotations) delete annotations[name];
  return { ...metadata, annotations };
}

/** Returns the PartialObjectMetadataList of several objects. `items` is null if there are none, as Go encodes it. */
export function toPartialObjectMetadataList(
  kind: KindInfo,
  objects: readonly KubeObject[],
  listMeta: ListMeta,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMeta as unknown as Json,
    items: objects.length === 0 ? null : objects.map((one) => toPartialObjectMetadata(kind, one)),
  };
}
