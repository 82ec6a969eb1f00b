import { assert } from "../base/mod.ts";
import { type Message, messagesOf } from "./table.ts";
import { type MessageTable, TABLE_NAMES, TABLES } from "./tables/index.ts";
import { MESSAGES as META_MESSAGES } from "./tables/meta.ts";

/** How the objects of a kind are encoded. */
export type Table = Message;

type Messages = ReturnType<typeof messagesOf>;

/** The tables that are loaded, by name. */
const loaded = new Map<string, Messages>();
/** The tables that are being loaded, with those that they refer to. */
const loading = new Map<string, Promise<Messages>>();

add("meta", META_MESSAGES);

/**
 * Loads the table of a built-in kind. Returns undefined for a kind that servers do not encode in protobuf.
 */
export async function loadTable(
  { group, version, kind }: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  },
): Promise<Table | undefined> {
  const groupVersion = `${group}/${version}`;
  if (!Object.hasOwn(TABLE_NAMES, groupVersion)) return undefined;
  const { messages, kinds } = await load(TABLE_NAMES[groupVersion] as string);
  return kinds.has(kind) ? messages.get(kind) : undefined;
}

/**
 * Adds loaded tables. A program on a virtual clock cannot wait for a file, because its time would pass meanwhile.
 */
export function addTables(tables: Readonly<Record<string, MessageTable>>): void {
  // A message looks up the messages of other tables at its first use.
  for (const [name, { MESSAGES }] of Object.entries(tables)) {
    if (!loaded.has(name)) add(name, MESSAGES);
  }
}

/** Returns a message of the table that is always loaded. */
export function metaMessage(name: string): Table {
  return find("meta", name);
}

/** Loads a table and the tables that it uses, once. After a failure, such as one of the network, it can be repeated. */
function load(name: string): Promise<Messages> {
  const known = loaded.get(name);
  if (known !== undefined) return Promise.resolve(known);
  let started = loading.get(name);
  if (started === undefined) {
    started = loadAll(name).catch((error) => {
      loading.delete(name);
      throw error;
    });
    loading.set(name, started);
  }
  return started;
}

async function loadAll(name: string): Promise<Messages> {
  const { MESSAGES, USES } = await TABLES[name]!();
  await Promise.all(USES.map(load));
  loading.delete(name);
  return add(name, MESSAGES);
}

function add(name: string, text: string): Messages {
  const messages = messagesOf(text, (reference) => find(name, reference));
  loaded.set(name, messages);
  return messages;
}

function find(table: string, reference: string): Message {
  const [name, other] = reference.split(".").reverse();
  const found = loaded.get(other ?? table)?.messages.get(name as string);
  assert(found !== undefined, `the table ${table} has the message ${reference}`);
  return found;
}
