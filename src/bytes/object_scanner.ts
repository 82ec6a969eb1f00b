import { ASCII } from "./ascii.ts";
import {
  byteAt,
  NOWHERE,
  skipByte,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from "./json_bytes.ts";
import { isText, parseRange, parseRepeatedText, parseText } from "./text.ts";

const {
  QUOTE,
  COMMA,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  LETTER_N,
  OPEN_BRACE,
  CLOSE_BRACE,
} = ASCII;

/** An object that was found in JSON, and what it says of itself. A field is undefined where it is absent or null. */
export interface ScannedObject {
  /** What it was found in. */
  bytes: Uint8Array;
  /** Where its `{` is. */
  start: number;
  /** Where its `}` has been passed. */
  end: number;
  /** `kind`; the items of a list of built-in objects have none. */
  kind: string | undefined;
  /** `apiVersion`; absent like `kind`. */
  apiVersion: string | undefined;
  /** `metadata.namespace` */
  namespace: string | undefined;
  /** `metadata.name` */
  name: string | undefined;
  /** `metadata.uid` */
  uid: string | undefined;
  /** `metadata.resourceVersion` */
  resourceVersion: string | undefined;
}

/** One event of a watch. */
export interface ScannedEvent {
  /** What happened, as in `ADDED`. */
  readonly type: string;
  /** What it happened to. */
  readonly object: ScannedObject;
}

/** A list, cut into its items. */
export interface ScannedList {
  /** The list's own `kind`. */
  readonly kind: string | undefined;
  /** The list's own `apiVersion`. */
  readonly apiVersion: string | undefined;
  /** The list's own `metadata`, parsed. */
  readonly metadata: unknown;
  /** Its items; none where `items` is absent or null. */
  readonly items: ScannedObject[];
}

/** A member of an object that is looked for, and where its value was last seen. */
interface Member {
  readonly name: string;
  /** What is looked for inside of its value. */
  readonly members: readonly Member[];
  /** Where the value begins; -1 while the member has not been seen. */
  start: number;
  /** Where the value ends. */
  end: number;
}

function member(name: string, members: readonly Member[] = []): Member {
  return { name, members, start: -1, end: -1 };
}

const KIND = member("kind");
const API_VERSION = member("apiVersion");
const NAMESPACE = member("namespace");
const NAME = member("name");
const UID = member("uid");
const RESOURCE_VERSION = member("resourceVersion");
const METADATA = member("metadata", [NAME, NAMESPACE, UID, RESOURCE_VERSION]);
const OBJECT = member("object", [KIND, API_VERSION, METADATA]);
const TYPE = member("type");
const EVENT = member("", [TYPE, OBJECT]);
const LIST_KIND = member("kind");
const LIST_API_VERSION = member("apiVersion");
const LIST_METADATA = member("metadata");
const ITEMS = member("items");
const LIST = member("", [LIST_KIND, LIST_API_VERSION, LIST_METADATA, ITEMS]);

/** Reads one line of a watch, with or without its line break; undefined if it is not JSON, or no event with an object. */
export function scanEvent(bytes: Uint8Array, start: number, end: number): ScannedEvent | undefined {
  if (!scanRange(bytes, start, end, EVENT)) return undefined;
  const type = isTextOrNothing(bytes, TYPE) ? repeatedText(bytes, TYPE) : undefined;
  const object = foundObject(bytes);
  return type === undefined || object === undefined ? undefined : { type, object };
}

/** Reads one object; undefined if the bytes are not JSON, or no object. */
export function scanObject(
  bytes: Uint8Array,
  start: number,
  end: number,
): ScannedObject | undefined {
  return scanRange(bytes, start, end, OBJECT) ? foundObject(bytes) : undefined;
}

/** Cuts the body of a list into its items; undefined if it is not JSON, or no list of objects. */
export function scanList(bytes: Uint8Array): ScannedList | undefined {
  const items: ScannedObject[] = [];
  if (!scanRange(bytes, 0, bytes.length, LIST, items)) return undefined;
  if (!isTextOrNothing(bytes, LIST_KIND) || !isTextOrNothing(bytes, LIST_API_VERSION)) {
    return undefined;
  }
  if (!isNothing(bytes, ITEMS) && bytes[ITEMS.start] !== OPEN_BRACKET) return undefined;
  return {
    kind: repeatedText(bytes, LIST_KIND),
    apiVersion: repeatedText(bytes, LIST_API_VERSION),
    metadata: LIST_METADATA.start < 0
      ? undefined
      : parseRange(bytes, LIST_METADATA.start, LIST_METADATA.end),
    items: isNothing(bytes, ITEMS) ? [] : items,
  };
}

/** Whether the range is one JSON object and nothing else; its members and it itself are then found. */
function scanRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  root: Member,
  items: ScannedObject[] = [],
): boolean {
  if (end > NOWHERE) return false;
  const at = skipFound(bytes, skipSpace(bytes, start, end), end, 0, root, items);
  return skipSpace(bytes, at, end) === end && bytes[root.start] === OPEN_BRACE;
}

/** Past the value at `at`, which is that of `found`. */
function skipFound(
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
  found: Member,
  items: ScannedObject[],
): number {
  forget(found.members); // a key that comes twice counts the second time
  found.start = at;
  const byte = byteAt(bytes, at, end);
  if (found === ITEMS && byte === OPEN_BRACKET) {
    found.end = skipItems(bytes, at, end, depth, items);
  } else if (byte === OPEN_BRACE && found.members.length > 0) {
    found.end = skipMembers(bytes, at, end, depth, found.members, items);
  } else {
    found.end = skipValue(bytes, at, end, depth);
  }
  return found.end;
}

function forget(members: readonly Member[]): void {
  for (const member of members) {
    member.start = -1;
    forget(member.members);
  }
}

/** Past the object at `at`, in which `members` are looked for. */
function skipMembers(
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
  members: readonly Member[],
  items: ScannedObject[],
): number {
  at = skipSpace(bytes, at + 1, end);
  if (byteAt(bytes, at, end) === CLOSE_BRACE) return at + 1;
  while (true) {
    if (byteAt(bytes, at, end) !== QUOTE) return NOWHERE;
    const keyEnd = skipString(bytes, at, end);
    if (keyEnd === NOWHERE) return NOWHERE;
    const found = memberNamed(bytes, at, keyEnd, members);
    at = skipColon(bytes, keyEnd, end);
    at = found === undefined
      ? skipValue(bytes, at, end, depth + 1)
      : skipFound(bytes, at, end, depth + 1, found, items);
    at = skipSpace(bytes, at, end);
    if (byteAt(bytes, at, end) !== COMMA) return skipByte(bytes, at, end, CLOSE_BRACE);
    at = skipSpace(bytes, at + 1, end);
  }
}

function memberNamed(
  bytes: Uint8Array,
  start: number,
  end: number,
  members: readonly Member[],
): Member | undefined {
  for (const member of members) {
    if (isText(bytes, start, end, member.name)) return member;
  }
  return undefined;
}

/** Past the array at `at`, of which each element is an object and becomes an item. */
function skipItems(
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
  items: ScannedObject[],
): number {
  items.length = 0;
  at = skipSpace(bytes, at + 1, end);
  if (byteAt(bytes, at, end) === CLOSE_BRACKET) return at + 1;
  while (true) {
    at = skipFound(bytes, at, end, depth + 1, OBJECT, items);
    const item = at === NOWHERE ? undefined : foundObject(bytes);
    if (item === undefined) return NOWHERE;
    items.push(item);
    at = skipSpace(bytes, at, end);
    if (byteAt(bytes, at, end) !== COMMA) return skipByte(bytes, at, end, CLOSE_BRACKET);
    at = skipSpace(bytes, at + 1, end);
  }
}

/** The object that was found, unless something else stands where an object or a text should. */
function foundObject(bytes: Uint8Array): ScannedObject | undefined {
  const isExpected = OBJECT.start >= 0 && bytes[OBJECT.start] === OPEN_BRACE &&
    (isNothing(bytes, METADATA) || bytes[METADATA.start] === OPEN_BRACE) &&
    isTextOrNothing(bytes, KIND) && isTextOrNothing(bytes, API_VERSION) &&
    isTextOrNothing(bytes, NAMESPACE) && isTextOrNothing(bytes, NAME) &&
    isTextOrNothing(bytes, UID) && isTextOrNothing(bytes, RESOURCE_VERSION);
  if (!isExpected) return undefined;
  return {
    bytes,
    start: OBJECT.start,
    end: OBJECT.end,
    kind: repeatedText(bytes, KIND),
    apiVersion: repeatedText(bytes, API_VERSION),
    namespace: repeatedText(bytes, NAMESPACE),
    name: foundText(bytes, NAME),
    uid: foundText(bytes, UID),
    resourceVersion: foundText(bytes, RESOURCE_VERSION),
  };
}

/** Whether a member is absent or null. */
function isNothing(bytes: Uint8Array, { start }: Member): boolean {
  return start < 0 || bytes[start] === LETTER_N;
}

function isTextOrNothing(bytes: Uint8Array, member: Member): boolean {
  return isNothing(bytes, member) || bytes[member.start] === QUOTE;
}

/** The text of a member that is text or nothing. */
function foundText(bytes: Uint8Array, member: Member): string | undefined {
  return isNothing(bytes, member) ? undefined : parseText(bytes, member.start, member.end);
}

/** The same, where few texts are to be expected. */
function repeatedText(bytes: Uint8Array, member: Member): string | undefined {
  return isNothing(bytes, member) ? undefined : parseRepeatedText(bytes, member.start, member.end);
}
