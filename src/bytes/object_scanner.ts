import { CONTROL_ANNOTATIONS } from "../base/mod.ts";
import { ASCII } from "./ascii.ts";
import {
  byteAt,
  NOWHERE,
  setLineFeedIsSpace,
  skipByte,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from "./json_bytes.ts";
import { isText, parseRange, parseRepeatedText, parseText } from "./text.ts";

const {
  LINE_FEED,
  QUOTE,
  COMMA,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  LETTER_N,
  OPEN_BRACE,
  CLOSE_BRACE,
  ZERO,
} = ASCII;

/** The digits of whole numbers that are read without a parser. */
const MAX_DIGITS = 15;

/**
 * The location of an object in JSON bytes, and the fields that identify the object. A field is undefined if it is
 * absent or null.
 */
export interface ScannedObject {
  /** The bytes that contain the object. */
  bytes: Uint8Array;
  /** The position of the object's `{`. */
  start: number;
  /** The position after the object's `}`. */
  end: number;
  /** The value of `kind`. The items of a list of built-in kinds have none. */
  kind: string | undefined;
  /** The value of `apiVersion`. The items of a list of built-in kinds have none. */
  apiVersion: string | undefined;
  /** The value of `metadata.namespace`. */
  namespace: string | undefined;
  /** The value of `metadata.name`. */
  name: string | undefined;
  /** The value of `metadata.uid`. */
  uid: string | undefined;
  /** The value of `metadata.resourceVersion`. */
  resourceVersion: string | undefined;
  /** The value of `metadata.generation`. */
  generation: number | undefined;
  /** The value of `metadata.deletionTimestamp`. */
  deletionTimestamp: string | undefined;
  /** The number of `metadata.finalizers`. */
  finalizers: number;
  /** Whether `metadata.annotations` has one of `CONTROL_ANNOTATIONS`. */
  isControlled: boolean;
  /** The start of the value of `metadata.managedFields`; -1 if there is none. */
  managedStart: number;
  /** The end of the value of `metadata.managedFields`; -1 if there is none. */
  managedEnd: number;
  /** The start of the value of `metadata`; -1 if that is not a JSON object. */
  metadataStart: number;
}

/** One event of a watch. */
export interface ScannedEvent {
  /** The type of the event, such as `ADDED`. */
  readonly type: string;
  /** The object of the event. */
  readonly object: ScannedObject;
  /** The position of the line break after the event, or the end of the bytes. */
  readonly end: number;
}

/** A list, divided into its items. */
export interface ScannedList {
  /** The list's own `kind`. */
  readonly kind: string | undefined;
  /** The list's own `apiVersion`. */
  readonly apiVersion: string | undefined;
  /** The list's own `metadata`, parsed. */
  readonly metadata: unknown;
  /** The items of the list; empty if `items` is absent or null. */
  readonly items: ScannedObject[];
}

/** An object member that a scan looks for, and the position of its value. Scans share the members and reset them. */
interface Member {
  readonly name: string;
  /** The first byte of the name. */
  readonly first: number;
  /** The members to look for in its value. */
  readonly members: readonly Member[];
  /** The position of the value; -1 until the member is found. */
  start: number;
  /** The position after the value. */
  end: number;
}

function member(name: string, members: readonly Member[] = []): Member {
  return { name, first: name.charCodeAt(0), members, start: -1, end: -1 };
}

const KIND = member("kind");
const API_VERSION = member("apiVersion");
const NAMESPACE = member("namespace");
const NAME = member("name");
const UID = member("uid");
const RESOURCE_VERSION = member("resourceVersion");
const GENERATION = member("generation");
const DELETION_TIMESTAMP = member("deletionTimestamp");
const FINALIZERS = member("finalizers");
const CONTROLS: readonly Member[] = Object.values(CONTROL_ANNOTATIONS).map((name) => member(name));
const ANNOTATIONS = member("annotations", CONTROLS);
const MANAGED_FIELDS = member("managedFields");
const METADATA = member("metadata", [
  NAME,
  NAMESPACE,
  UID,
  RESOURCE_VERSION,
  GENERATION,
  DELETION_TIMESTAMP,
  FINALIZERS,
  ANNOTATIONS,
  MANAGED_FIELDS,
]);
const OBJECT = member("object", [KIND, API_VERSION, METADATA]);
const TYPE = member("type");
const EVENT = member("", [TYPE, OBJECT]);
const LIST_KIND = member("kind");
const LIST_API_VERSION = member("apiVersion");
const LIST_METADATA = member("metadata");
const ITEMS = member("items");
const LIST = member("", [LIST_KIND, LIST_API_VERSION, LIST_METADATA, ITEMS]);

/**
 * Reads the event on the line that begins at `start`, and finds the end of that line: searching it first would take
 * another tenth of the time. Other lines may follow up to `end`. Returns undefined if the line is not JSON, or not an
 * event with an object that {@linkcode scanObject} accepts.
 */
export function scanEvent(bytes: Uint8Array, start: number, end: number): ScannedEvent | undefined {
  setLineFeedIsSpace(false);
  const at = skipSpace(bytes, skipRoot(bytes, start, end, EVENT), end);
  setLineFeedIsSpace(true);
  if (at > end || bytes[EVENT.start] !== OPEN_BRACE) return undefined;
  if (at < end && bytes[at] !== LINE_FEED) return undefined;
  const type = isTextOrNothing(bytes, TYPE) ? repeatedText(bytes, TYPE) : undefined;
  const object = foundObject(bytes);
  return type === undefined || object === undefined ? undefined : { type, object, end: at };
}

/**
 * Reads one object. Returns undefined if the bytes are not JSON or not an object, if the object is nested too deep, or
 * if one of the fields of {@linkcode ScannedObject} has another type.
 */
export function scanObject(
  bytes: Uint8Array,
  start: number,
  end: number,
): ScannedObject | undefined {
  return scanRange(bytes, start, end, OBJECT) ? foundObject(bytes) : undefined;
}

/**
 * Divides the body of a list into its items. Returns undefined if the body is not JSON, or not a list of objects that
 * {@linkcode scanObject} accepts.
 */
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

/** Reports whether the range is a single JSON object. If so, `root` and its members have their positions. */
function scanRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  root: Member,
  items?: ScannedObject[],
): boolean {
  const at = skipRoot(bytes, start, end, root, items);
  return skipSpace(bytes, at, end) === end && bytes[root.start] === OPEN_BRACE;
}

/** Returns the position after the value at `start`. */
function skipRoot(
  bytes: Uint8Array,
  start: number,
  end: number,
  root: Member,
  items: ScannedObject[] = [],
): number {
  if (end > NOWHERE) return NOWHERE;
  return skipFound(bytes, skipSpace(bytes, start, end), end, 0, root, items);
}

/** Returns the position after the value at `at`, which belongs to `found`. */
function skipFound(
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
  found: Member,
  items: ScannedObject[],
): number {
  forget(found.members); // the last occurrence of a duplicate key counts
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

/** Returns the position after the object at `at`, in which the function looks for `members`. */
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
  const first = bytes[start + 1] as number;
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    if (first !== member.first && first !== BACKSLASH) continue;
    if (isText(bytes, start, end, member.name)) return member;
  }
  return undefined;
}

/** Returns the position after the array at `at`. Each element must be an object and is added to `items`. */
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

/** Returns the object that was found; undefined if a value is not of the expected type. */
function foundObject(bytes: Uint8Array): ScannedObject | undefined {
  const isExpected = OBJECT.start >= 0 && bytes[OBJECT.start] === OPEN_BRACE &&
    (isNothing(bytes, METADATA) || bytes[METADATA.start] === OPEN_BRACE) &&
    isTextOrNothing(bytes, KIND) && isTextOrNothing(bytes, API_VERSION) &&
    isTextOrNothing(bytes, NAMESPACE) && isTextOrNothing(bytes, NAME) &&
    isTextOrNothing(bytes, UID) && isTextOrNothing(bytes, RESOURCE_VERSION) &&
    isTextOrNothing(bytes, DELETION_TIMESTAMP);
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
    generation: foundCount(bytes, GENERATION),
    deletionTimestamp: foundText(bytes, DELETION_TIMESTAMP),
    finalizers: foundLength(bytes, FINALIZERS),
    isControlled: ANNOTATIONS.start >= 0 && CONTROLS.some(({ start }) => start >= 0),
    managedStart: MANAGED_FIELDS.start,
    managedEnd: MANAGED_FIELDS.end,
    metadataStart: isNothing(bytes, METADATA) ? -1 : METADATA.start,
  };
}

/** Reports whether a member is absent or null. */
function isNothing(bytes: Uint8Array, { start }: Member): boolean {
  return start < 0 || bytes[start] === LETTER_N;
}

function isTextOrNothing(bytes: Uint8Array, member: Member): boolean {
  return isNothing(bytes, member) || bytes[member.start] === QUOTE;
}

/** Returns the text of a string member; undefined if the member is absent or null. */
function foundText(bytes: Uint8Array, member: Member): string | undefined {
  return isNothing(bytes, member) ? undefined : parseText(bytes, member.start, member.end);
}

/** Returns a whole number; undefined if the member is absent, null or of another type. */
function foundCount(bytes: Uint8Array, { start, end }: Member): number | undefined {
  if (start < 0) return undefined;
  let count = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i] as number - ZERO;
    if (digit < 0 || digit > 9 || end - start > MAX_DIGITS) return otherCount(bytes, start, end);
    count = 10 * count + digit;
  }
  return count;
}

function otherCount(bytes: Uint8Array, start: number, end: number): number | undefined {
  const value = parseRange(bytes, start, end);
  return typeof value === "number" ? value : undefined;
}

/** Returns the number of elements of an array; 0 for any other value. */
function foundLength(bytes: Uint8Array, { start, end }: Member): number {
  if (start < 0 || bytes[start] !== OPEN_BRACKET || bytes[start + 1] === CLOSE_BRACKET) return 0;
  const list = parseRange(bytes, start, end);
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the text of a member like {@linkcode foundText}, for members with few distinct values. */
function repeatedText(bytes: Uint8Array, member: Member): string | undefined {
  return isNothing(bytes, member) ? undefined : parseRepeatedText(bytes, member.start, member.end);
}
