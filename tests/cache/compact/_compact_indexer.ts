/** The indexer of a compact cache, without an informer around it. */

import type { Indexers } from "../../../src/cache/mod.ts";
import { CompactStore, type Deliveries } from "../../../src/cache/compact/compact_store.ts";
import { ParsedIndexer } from "../../../src/cache/compact/parsed_indexer.ts";
import { RefReader } from "../../../src/cache/compact/ref_reader.ts";
import type { KubeObject } from "../../../src/types/mod.ts";

/** Handlers that have processed all notifications. */
const IDLE: Deliveries = { lastIndex: 0, oldestPending: () => Infinity };

/** Creates an empty indexer of a compact cache, with the store and the reader behind it. */
export function compactIndexer<T extends KubeObject>(
  indexers: Indexers<T> = {},
): { indexer: ParsedIndexer<T>; store: CompactStore<T>; reader: RefReader<T> } {
  const reader = new RefReader<T>();
  const store = new CompactStore<T>(reader.keyOf, IDLE);
  const indexer = new ParsedIndexer(store, reader);
  indexer.addIndexers(indexers);
  return { indexer, store, reader };
}
