import { addPart, type KeepsFieldsOf } from "../bytes/mod.ts";
import { repeatedTextAt } from "./text.ts";
import { after, readLength, skipField } from "./wire.ts";

/** Tags of the fields of an entry of the managed fields. */
const MANAGER = 0x0a;
const FIELDS_TYPE = 0x32;
const FIELDS_V1 = 0x3a;

const METADATA = 0x0a;
/** The number of bytes of the tag of `managedFields`. */
const TAG_BYTES = 2;

/** A part of a message to leave out, and the lengths around it that become smaller. */
export interface ForeignFieldSets {
  /** The starts and ends of the parts, in turn. */
  readonly parts: readonly number[];
  /** The positions of the lengths, the numbers of their bytes, and their new values, in turn. */
  readonly lengths: readonly number[];
}

/**
 * Returns the parts of `metadata.managedFields` that a cache can leave out: the counterpart of `foreignFieldSets` of
 * `bytes`.
 *
 * @param start The start of the object, which a scan has accepted.
 * @param managedStart The start of the first of the managed fields.
 * @param managedEnd The end of the last.
 */
export function foreignFieldSetsInMessage(
  bytes: Uint8Array,
  start: number,
  managedStart: number,
  managedEnd: number,
  keeps: KeepsFieldsOf,
): ForeignFieldSets | undefined {
  const parts: number[] = [];
  const lengths: number[] = [];
  let omitted = 0;
  for (let at = managedStart; at < managedEnd;) {
    const lengthAt = at + TAG_BYTES;
    const length = readLength(bytes, lengthAt, managedEnd);
    if (length < 0) return undefined;
    const lengthBytes = after - lengthAt;
    const entryEnd = after + length;
    const before = omitted;
    for (let field = after; field < entryEnd;) {
      const tag = bytes[field];
      if (tag === MANAGER && isKept(bytes, field, entryEnd, keeps)) return undefined;
      const end = skipField(bytes, field, entryEnd);
      if (end < 0) return undefined;
      if (tag === FIELDS_TYPE || tag === FIELDS_V1) {
        omitted += end - field;
        addPart(parts, field, end);
      }
      field = end;
    }
    if (omitted > before) lengths.push(lengthAt, lengthBytes, length - (omitted - before));
    at = entryEnd;
  }
  if (omitted === 0) return undefined;
  return addMetadataLength(bytes, start, managedStart, omitted, lengths)
    ? { parts, lengths }
    : undefined;
}

function isKept(bytes: Uint8Array, at: number, end: number, keeps: KeepsFieldsOf): boolean {
  const length = readLength(bytes, at + 1, end);
  return length < 0 || keeps(repeatedTextAt(bytes, after, after + length));
}

/** Adds the length of the metadata that contain `inside`. Returns false if there is none. */
function addMetadataLength(
  bytes: Uint8Array,
  start: number,
  inside: number,
  omitted: number,
  lengths: number[],
): boolean {
  for (let at = start; at >= 0 && at < inside;) {
    if (bytes[at] !== METADATA) {
      at = skipField(bytes, at, bytes.length);
      continue;
    }
    const length = readLength(bytes, at + 1, bytes.length);
    if (length < 0) return false;
    if (inside < after + length) {
      lengths.unshift(at + 1, after - at - 1, length - omitted);
      return true;
    }
    at = after + length;
  }
  return false;
}
