import type { ScannedEvent, ScannedList, ScannedObject } from "../../src/bytes/mod.ts";

const LINE_FEED = 0x0a;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Makes a bigint of an integer that a number does not hold. */
function exact(_: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && /^-?\d{1,308}$/.test(source) ? BigInt(source) : value;
}

const revive = exact as Parameters<typeof JSON.parse>[1];

/** Returns what JSON.parse returns for the bytes, with exact integers; undefined if they are not JSON. */
export function parse(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    return /\d{16}/.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value of an own member. A key `__proto__` is an own member, too. */
function own(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

class Unexpected extends Error {}

function text(value: Fields, name: string): string | undefined {
  const found = own(value, name) ?? undefined;
  if (found !== undefined && typeof found !== "string") throw new Unexpected();
  return found;
}

function objectFields(value: unknown): Fields {
  if (!isObject(value)) throw new Unexpected();
  const metadata = own(value, "metadata") ?? {};
  if (!isObject(metadata)) throw new Unexpected();
  return {
    kind: text(value, "kind"),
    apiVersion: text(value, "apiVersion"),
    namespace: text(metadata, "namespace"),
    name: text(metadata, "name"),
    uid: text(metadata, "uid"),
    resourceVersion: text(metadata, "resourceVersion"),
    value,
  };
}

function orRefused(make: () => Fields): Fields | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unexpected) return undefined;
    throw error;
  }
}

/** Returns what scanObject() should find; `value` is the whole object. */
export function expectedObject(parsed: unknown): Fields | undefined {
  return orRefused(() => objectFields(parsed));
}

/** Returns the bytes up to the first line break. */
export function firstLine(bytes: Uint8Array): Uint8Array {
  const lineBreak = bytes.indexOf(LINE_FEED);
  return lineBreak < 0 ? bytes : bytes.subarray(0, lineBreak);
}

/** Returns what scanEvent() should find: the event on the first line. */
export function expectedEvent(bytes: Uint8Array): Fields | undefined {
  const line = firstLine(bytes);
  const parsed = parse(line);
  return orRefused(() => {
    if (!isObject(parsed)) throw new Unexpected();
    const type = text(parsed, "type");
    if (type === undefined) throw new Unexpected();
    return { type, object: objectFields(own(parsed, "object")), end: line.length };
  });
}

/** Returns what scanList() should find. */
export function expectedList(parsed: unknown): Fields | undefined {
  return orRefused(() => {
    if (!isObject(parsed)) throw new Unexpected();
    const items = own(parsed, "items") ?? [];
    if (!Array.isArray(items)) throw new Unexpected();
    return {
      kind: text(parsed, "kind"),
      apiVersion: text(parsed, "apiVersion"),
      metadata: own(parsed, "metadata"),
      items: items.map(objectFields),
    };
  });
}

/** Reports whether two results of JSON.parse are equal. assertEquals() is too slow for so many. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false;
  }
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) =>
      Object.hasOwn(other, key) && isSame(own(one as Fields, key), own(other as Fields, key))
    );
}

/** Returns a scanned object in the form of {@linkcode expectedObject}. */
export function foundObject(object: ScannedObject | undefined): Fields | undefined {
  if (object === undefined) return undefined;
  const { bytes, start, end, kind, apiVersion, namespace, name, uid, resourceVersion } = object;
  const value = parse(bytes.subarray(start, end));
  return { kind, apiVersion, namespace, name, uid, resourceVersion, value };
}

/** Returns a scanned event in the form of {@linkcode expectedEvent}. The line begins at `start`. */
export function foundEvent(event: ScannedEvent | undefined, start = 0): Fields | undefined {
  if (event === undefined) return undefined;
  return { type: event.type, object: foundObject(event.object), end: event.end - start };
}

/** Returns a scanned list in the form of {@linkcode expectedList}. */
export function foundList(list: ScannedList | undefined): Fields | undefined {
  return list && { ...list, items: list.items.map(foundObject) };
}
