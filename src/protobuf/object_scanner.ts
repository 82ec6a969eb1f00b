import type { ScannedEvent, ScannedList, ScannedObject } from "../bytes/mod.ts";
import { decodeObject } from "./decode.ts";
import { metaMessage } from "./load_table.ts";
import { validRepeatedTextAt, validTextAt } from "./text.ts";
import { timeAt } from "./time.ts";
import {
  after,
  findInner,
  innerEnd,
  innerStart,
  readInt64,
  readLength,
  readVarint,
  skipField,
  skipValue,
  WIRE,
} from "./wire.ts";

/** The prefix of every encoded object: `k8s` and a zero byte. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

/** Tags of messages and texts: the number of the field, and the wire type of bytes. */
const BYTES_1 = 0x0a;
const BYTES_2 = 0x12;
const BYTES_3 = 0x1a;
const BYTES_4 = 0x22;

/** Tags of the fields of an ObjectMeta. The tag of managedFields, whose number is 17, has two bytes. */
const NAME = 0x0a;
const NAMESPACE = 0x1a;
const UID = 0x2a;
const RESOURCE_VERSION = 0x32;
const GENERATION = 0x38;
const DELETION_TIMESTAMP = 0x4a;
const GRACE_PERIOD = 0x50;
const ANNOTATIONS = 0x62;
const FINALIZERS = 0x72;
const MANAGED_FIELDS = [0x8a, 0x01] as const;

/** The field numbers of managedFields, and of finalizers: the highest number with a tag of one byte. */
const MANAGED_FIELDS_NUMBER = 17;
const LAST_SHORT_NUMBER = 14;

// The results of the scans below, which share them to allocate only the object that they return.
let kind = "";
let apiVersion = "";
let rawStart = 0;
let rawEnd = 0;
let name = "";
let namespace = "";
let uid = "";
let resourceVersion = "";
let generation = 0;
let deletionTimestamp = "";
let finalizers = 0;
let isControlled = false;
let managedStart = -1;
let managedEnd = -1;
let isManagedTogether = true;

/**
 * Reads an object in its envelope. The range of the result is that of the object's own message, without the envelope. The
 * range of the managed fields begins with the first tag, and is -1 if other fields lie between them. The values of the other
 * fields are skipped by their lengths. Returns undefined if the envelope, a field of the object or a field of its metadata is
 * malformed.
 */
export function scanProtobufObject(
  bytes: Uint8Array,
  start: number,
  end: number,
): ScannedObject | undefined {
  return scanEnvelope(bytes, start, end) ? scanMessage(bytes, rawStart, rawEnd) : undefined;
}

/**
 * Reads an event of a watch: the range is the content of one frame, without its length. Returns undefined for an event
 * without a type, or without an object that {@linkcode scanProtobufObject} accepts.
 */
export function scanProtobufEvent(
  bytes: Uint8Array,
  start: number,
  end: number,
): ScannedEvent | undefined {
  let type: string | undefined;
  let objectStart = -1;
  let objectEnd = -1;
  for (let at = start; at < end;) {
    const tag = bytes[at];
    if (tag !== BYTES_1 && tag !== BYTES_2) {
      if ((at = skipOther(bytes, at, end, 2)) < 0) return undefined;
      continue;
    }
    const length = readLength(bytes, at + 1, end);
    if (length < 0) return undefined;
    at = after + length;
    if (tag === BYTES_1) type = validRepeatedTextAt(bytes, at - length, at);
    else if (findInner(bytes, at - length, at)) {
      objectStart = innerStart;
      objectEnd = innerEnd;
    } else return undefined;
  }
  if (type === undefined || type === "" || objectStart < 0) return undefined;
  const object = scanProtobufObject(bytes, objectStart, objectEnd);
  return object === undefined ? undefined : { type, object, end };
}

/**
 * Divides the body of a list into its items. Returns undefined if the list is malformed, or one of its items.
 */
export function scanProtobufList(body: Uint8Array): ScannedList | undefined {
  if (!scanEnvelope(body, 0, body.length)) return undefined;
  const list = {
    kind: textOrNothing(kind),
    apiVersion: textOrNothing(apiVersion),
    metadata: undefined as unknown,
    items: [] as ScannedObject[],
  };
  const isList = kind.endsWith("List");
  const end = rawEnd;
  for (let at = rawStart; at < end;) {
    const tag = body[at];
    if (tag !== BYTES_1 && tag !== BYTES_2) {
      if ((at = skipOther(body, at, end, 2)) < 0) return undefined;
      continue;
    }
    const length = readLength(body, at + 1, end);
    if (length < 0) return undefined;
    at = after + length;
    if (tag === BYTES_1) {
      list.metadata = listMetadata(body, at - length, at);
      if (list.metadata === undefined) return undefined;
    } else if (isList) {
      kind = apiVersion = "";
      const item = scanMessage(body, at - length, at);
      if (item === undefined) return undefined;
      list.items.push(item);
    }
  }
  return list;
}

/** Decodes the metadata of a list. Returns undefined if it is malformed. */
function listMetadata(bytes: Uint8Array, start: number, end: number): object | undefined {
  try {
    return decodeObject(metaMessage("ListMeta"), bytes, start, end);
  } catch {
    return undefined;
  }
}

/** Reads an envelope: a prefix, and a message with the type and the bytes of the object. Reports whether it is valid. */
function scanEnvelope(bytes: Uint8Array, start: number, end: number): boolean {
  if (start + MAGIC.length > end) return false;
  for (let i = 0; i < MAGIC.length; i++) if (bytes[start + i] !== MAGIC[i]) return false;
  kind = apiVersion = "";
  rawStart = -1;
  for (let at = start + MAGIC.length; at < end;) {
    const tag = bytes[at];
    if (tag !== BYTES_1 && tag !== BYTES_2 && tag !== BYTES_3 && tag !== BYTES_4) {
      if ((at = skipOther(bytes, at, end, 4)) < 0) return false;
      continue;
    }
    const length = readLength(bytes, at + 1, end);
    if (length < 0) return false;
    at = after + length;
    if (tag === BYTES_1) {
      if (!scanTypeMeta(bytes, at - length, at)) return false;
    } else if (tag === BYTES_2) {
      rawStart = at - length;
      rawEnd = at;
    } else if (length > 0) return false; // an object in another encoding
  }
  return rawStart >= 0;
}

function scanTypeMeta(bytes: Uint8Array, at: number, end: number): boolean {
  while (at < end) {
    const tag = bytes[at];
    if (tag !== BYTES_1 && tag !== BYTES_2) {
      if ((at = skipOther(bytes, at, end, 2)) < 0) return false;
      continue;
    }
    const length = readLength(bytes, at + 1, end);
    if (length < 0) return false;
    at = after + length;
    const text = validRepeatedTextAt(bytes, at - length, at);
    if (text === undefined) return false;
    if (tag === BYTES_1) apiVersion = text;
    else kind = text;
  }
  return true;
}

/** Reads an object whose type is known. Returns undefined if it or its metadata is malformed. */
function scanMessage(bytes: Uint8Array, start: number, end: number): ScannedObject | undefined {
  name =
    namespace =
    uid =
    resourceVersion =
    deletionTimestamp =
      "";
  generation = 0;
  finalizers = 0;
  isControlled = false;
  managedStart = managedEnd = -1;
  isManagedTogether = true;
  // The metadata of a Status is that of a list.
  const hasMetadata = kind !== "Status";
  for (let at = start; at < end;) {
    if (bytes[at] !== BYTES_1) {
      if ((at = skipOther(bytes, at, end, 1)) < 0) return undefined;
      continue;
    }
    const length = readLength(bytes, at + 1, end);
    if (length < 0) return undefined;
    at = after + length;
    if (hasMetadata && !scanMetadata(bytes, at - length, at)) return undefined;
  }
  return {
    bytes,
    start,
    end,
    kind: textOrNothing(kind),
    apiVersion: textOrNothing(apiVersion),
    namespace: textOrNothing(namespace),
    name: textOrNothing(name),
    uid: textOrNothing(uid),
    resourceVersion: textOrNothing(resourceVersion),
    generation: generation === 0 ? undefined : generation,
    deletionTimestamp: textOrNothing(deletionTimestamp),
    finalizers,
    isControlled,
    managedStart: isManagedTogether ? managedStart : -1,
    managedEnd: isManagedTogether ? managedEnd : -1,
    metadataStart: -1,
  };
}

/** Reads an ObjectMeta, and reports whether it is valid. */
function scanMetadata(bytes: Uint8Array, at: number, end: number): boolean {
  while (at < end) {
    const tag = bytes[at] as number;
    if (tag < 0x80 && tag % 8 === WIRE.BYTES) {
      const length = readLength(bytes, at + 1, end);
      if (length < 0) return false;
      at = after + length;
      if (!scanMetadataField(bytes, tag, at - length, at)) return false;
    } else if (tag === GENERATION) {
      const value = readInt64(bytes, at + 1, end);
      if (value === undefined) return false;
      generation = Number(value);
      at = after;
    } else if (tag === GRACE_PERIOD) {
      if ((at = skipField(bytes, at, end)) < 0) return false;
    } else if (tag === MANAGED_FIELDS[0] && bytes[at + 1] === MANAGED_FIELDS[1]) {
      const length = readLength(bytes, at + 2, end);
      if (length < 0) return false;
      if (managedStart < 0) managedStart = at;
      else if (managedEnd !== at) isManagedTogether = false;
      at = managedEnd = after + length;
    } else if ((at = skipOther(bytes, at, end, LAST_SHORT_NUMBER, MANAGED_FIELDS_NUMBER)) < 0) {
      return false;
    }
  }
  return true;
}

/** Reads a field of an ObjectMeta that has bytes, and reports whether it is valid. */
function scanMetadataField(bytes: Uint8Array, tag: number, start: number, end: number): boolean {
  let text: string | undefined;
  switch (tag) {
    case NAME:
      if ((text = validTextAt(bytes, start, end)) === undefined) return false;
      name = text;
      return true;
    case NAMESPACE:
      if ((text = validRepeatedTextAt(bytes, start, end)) === undefined) return false;
      namespace = text;
      return true;
    case UID:
      if ((text = validTextAt(bytes, start, end)) === undefined) return false;
      uid = text;
      return true;
    case RESOURCE_VERSION:
      if ((text = validTextAt(bytes, start, end)) === undefined) return false;
      resourceVersion = text;
      return true;
    case DELETION_TIMESTAMP: {
      const time = timeAt(bytes, start, end);
      if (time === undefined) return false;
      deletionTimestamp = time ?? "";
      return true;
    }
    case FINALIZERS:
      finalizers++;
      return true;
    case ANNOTATIONS:
      isControlled ||= mayBeControl(bytes, start, end);
      return true;
    case WIRE.BYTES: // number 0
    case GENERATION + WIRE.BYTES:
    case GRACE_PERIOD + WIRE.BYTES:
      return false;
    default:
      return true;
  }
}

/** The start of the names of all annotations that control controllers, in UTF-8. */
const CONTROL_PREFIX: Uint8Array = new TextEncoder().encode("kubeloop.dev/");

/** Reports whether the name of an annotation has the prefix, or is not where servers write it. */
function mayBeControl(bytes: Uint8Array, start: number, end: number): boolean {
  // Servers write the name first, with a length of one byte unless it is very long.
  if (bytes[start] !== BYTES_1) return true;
  const at = start + 2;
  for (let i = 0; i < CONTROL_PREFIX.length; i++) {
    if (at + i >= end || bytes[at + i] !== CONTROL_PREFIX[i]) return false;
  }
  return true;
}

/** Returns a text; undefined if it is empty, because JSON omits it then. */
function textOrNothing(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/**
 * Returns the position after a field that is not one of those from 1 to `last`, nor `also`; -1 if it is malformed or one
 * of them, whose wire type is then wrong.
 */
function skipOther(bytes: Uint8Array, at: number, end: number, last: number, also = 0): number {
  const tag = readVarint(bytes, at, end);
  if (tag < 0) return -1;
  const number = Math.floor(tag / 8);
  if (number <= last || number === also) return -1;
  return skipValue(bytes, after, end, tag % 8);
}
