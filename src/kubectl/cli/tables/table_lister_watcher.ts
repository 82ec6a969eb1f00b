import type { Client } from "@kubeloop/controller/client";
import type {
  KubeObject,
  ListerWatcher,
  ListWatchScope,
  Resource,
  WatchEvent,
} from "@kubeloop/controller/types";
import { type Column, TABLE, tablePage, tablePageOf, type TableRow } from "./table_page.ts";

/** A row of a table for the store of an informer: an object with cells instead of fields. */
export interface Row extends KubeObject {
  readonly cells: readonly string[];
  /** The columns of the cells. */
  readonly columns: readonly Column[];
}

/** Lists and watches objects as table rows, for an informer. */
export function tableListerWatcher(
  client: Client,
  resource: Resource,
  scope: ListWatchScope,
): ListerWatcher<Row> {
  let columns: readonly Column[] = [];
  const objectOf = ({ cells, metadata }: TableRow): Row => ({
    metadata: metadata as Row["metadata"],
    cells,
    columns,
  });
  async function* events(watch: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent<Row>> {
    for await (const { type, object } of watch) {
      const page = tablePageOf(object);
      columns = page.columns ?? columns;
      for (const row of page.rows) yield { type, object: objectOf(row) } as WatchEvent<Row>;
    }
  }
  return {
    environment: client.environment,
    async list(options, call) {
      const page = await tablePage(client, resource, {
        ...options,
        ...scope,
        ...call,
        maxRetries: 0,
      });
      columns = page.columns ?? columns;
      const { next, resourceVersion } = page;
      return {
        metadata: {
          ...(resourceVersion === undefined ? {} : { resourceVersion }),
          ...(next === undefined ? {} : { continue: next }),
        },
        items: page.rows.map(objectOf),
      };
    },
    watch: async ({ limit: _limit, continue: _token, ...options }, call) =>
      events(
        await client.watch(resource, {
          ...options,
          ...scope,
          ...call,
          maxRetries: 0,
          accept: TABLE,
        }),
      ),
    isWatchListSemanticsUnsupported: true,
  };
}
