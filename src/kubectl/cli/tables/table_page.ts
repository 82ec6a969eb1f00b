import { isRecord, parseJson, showJson } from "@kubeloop/controller/internal/base";
import type { Client, ListCallOptions } from "@kubeloop/controller/client";
import { listPath, listQuery, objectPath } from "@kubeloop/controller/client";
import { PageProgress } from "@kubeloop/controller/client";
import type {
  DeepReadonly,
  KubeObject,
  ObjectMeta,
  ResourceDescriptor,
} from "@kubeloop/controller/types";

/** The Accept header for a Table, with the objects as a fallback for servers without tables. */
export const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** 0 if the column is always shown; greater than 0 if only `-o wide` shows it. */
  readonly priority: number;
}

/** A row of a table: the cells of one object. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly metadata: DeepReadonly<ObjectMeta>;
}

/** A page of a table. */
export interface TablePage {
  /** The columns; undefined in a watch, after its first event. */
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string | undefined;
  /** The token of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** The columns for objects from a server without tables. */
const PLAIN: readonly Column[] = [{ name: "Name", priority: 0 }, {
  name: "Created At",
  priority: 0,
}];

/** Requests one page of a table of many objects, or the table of one object. */
export async function tablePage(
  client: Client,
  resource: ResourceDescriptor,
  { name, ...options }: ListCallOptions & { readonly name?: string | undefined },
): Promise<TablePage> {
  const { namespace, signal, timeoutMs, maxRetries } = options;
  const path = name === undefined
    ? listPath(resource, namespace)
    : objectPath(resource, name, { namespace: resource.namespaced ? namespace : undefined });
  const query = Object.fromEntries(listQuery(options));
  const call = { signal, timeoutMs, maxRetries };
  const text = await client.getRaw(path, { query, accept: TABLE, ...call });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new Error(`GET ${path} was not answered with JSON: check the server URL`);
  }
  return tablePageOf(value);
}

/**
 * Calls `use` with each page of a table. Only one page is in memory at a time.
 *
 * @throws {Error} If the list does not end: ten consecutive pages had nothing new.
 */
export async function eachTablePage(
  client: Client,
  resource: ResourceDescriptor,
  options: ListCallOptions & { readonly name?: string | undefined },
  use: (page: TablePage) => Promise<void>,
): Promise<void> {
  const progress = new PageProgress();
  let next = "";
  do {
    const token = next === "" ? {} : { continue: next };
    const page = await tablePage(client, resource, { limit: 500, ...options, ...token });
    await use(page);
    const metadata = page.next === undefined ? {} : { continue: page.next };
    next = progress.tokenAfter({ metadata, items: page.rows as unknown as KubeObject[] });
  } while (next !== "");
}

/** Reads a Table, or a list or an object from a server without tables. */
export function tablePageOf(value: unknown): TablePage {
  if (!isRecord(value)) throw new Error("The server has answered with something that is no Table");
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  const page = {
    resourceVersion: text(metadata.resourceVersion),
    next: text(metadata.continue),
  };
  if (value.kind === "Table") {
    const columns = Array.isArray(value.columnDefinitions)
      ? value.columnDefinitions.filter(isRecord).map(columnOf)
      : undefined;
    return { ...page, columns, rows: records(value.rows).map(rowOf) };
  }
  const isList = Array.isArray(value.items);
  const objects = isList ? records(value.items) : [value];
  return {
    ...(isList ? page : { ...page, next: undefined }),
    columns: PLAIN,
    rows: objects.map((object) => {
      const metadata = metadataIn(object);
      return {
        cells: [metadata.name ?? "", metadata.creationTimestamp ?? "<unknown>"],
        metadata,
      };
    }),
  };
}

function columnOf({ name, priority }: Record<string, unknown>): Column {
  return { name: text(name) ?? "", priority: typeof priority === "number" ? priority : 0 };
}

function rowOf({ cells, object }: Record<string, unknown>): TableRow {
  return {
    cells: (Array.isArray(cells) ? cells : []).map(cellOf),
    metadata: metadataIn(isRecord(object) ? object : {}),
  };
}

function cellOf(cell: unknown): string {
  if (cell === null || cell === undefined) return "<none>";
  return typeof cell === "object" ? showJson(cell) : String(cell);
}

function metadataIn({ metadata }: Record<string, unknown>): ObjectMeta {
  return (isRecord(metadata) ? metadata : {}) as ObjectMeta;
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
