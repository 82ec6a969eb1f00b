import { ASCII } from "./ascii.ts";
import { skipColon, skipSpace, skipString, skipValue } from "./json_bytes.ts";
import { isText, parseRepeatedText } from "./text.ts";

const { QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE } = ASCII;

/** Reports whether the field sets of a field manager are kept. */
export type KeepsFieldsOf = (manager: string) => boolean;

/**
 * Returns the parts of `metadata.managedFields` that a cache can leave out: the members `fieldsV1` and `fieldsType` of each
 * entry. An API server ignores managed fields without `fieldsType` in a request, so that an update with such an object
 * changes no owner of a field.
 *
 * @param start The start of the value of `managedFields`, which a scan has accepted.
 * @param keeps Reports whether the field sets of a manager are needed. Such an object keeps all field sets.
 * @returns The starts and ends of the parts, in turn; undefined if nothing can be left out.
 */
export function foreignFieldSets(
  bytes: Uint8Array,
  start: number,
  end: number,
  keeps: KeepsFieldsOf,
): readonly number[] | undefined {
  if (start < 0 || bytes[start] !== OPEN_BRACKET) return undefined;
  const parts: number[] = [];
  let at = skipSpace(bytes, start + 1, end);
  while (at < end && bytes[at] !== CLOSE_BRACKET) {
    if (bytes[at] !== OPEN_BRACE) return undefined;
    at = addEntry(bytes, at, end, keeps, parts);
    if (at < 0) return undefined;
    at = skipSpace(bytes, at, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1, end);
  }
  return parts.length === 0 ? undefined : parts;
}

/** Adds the parts of the entry at `at`. Returns the position after it; -1 if its field set is needed. */
function addEntry(
  bytes: Uint8Array,
  at: number,
  end: number,
  keeps: KeepsFieldsOf,
  parts: number[],
): number {
  at = skipSpace(bytes, at + 1, end);
  /** The end of the member before. */
  let before = at;
  let hasKept = false;
  while (bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at, end);
    const valueStart = skipColon(bytes, keyEnd, end);
    const valueEnd = skipValue(bytes, valueStart, end, 0);
    const comma = skipSpace(bytes, valueEnd, end);
    const next = bytes[comma] === COMMA ? skipSpace(bytes, comma + 1, end) : comma;
    if (isFieldSet(bytes, at, keyEnd)) {
      // One comma goes with the member.
      if (hasKept) addPart(parts, before, valueEnd);
      else addPart(parts, at, next);
    } else {
      hasKept = true;
      const isManager = bytes[valueStart] === QUOTE && isText(bytes, at, keyEnd, "manager");
      if (isManager && keeps(parseRepeatedText(bytes, valueStart, valueEnd))) return -1;
    }
    before = valueEnd;
    at = next;
  }
  return bytes[at] === CLOSE_BRACE ? at + 1 : -1;
}

/** Adds a part to leave out. It is joined with the part before if there is nothing between them. */
export function addPart(parts: number[], start: number, end: number): void {
  if (parts.at(-1) === start) parts[parts.length - 1] = end;
  else parts.push(start, end);
}

function isFieldSet(bytes: Uint8Array, start: number, end: number): boolean {
  return isText(bytes, start, end, "fieldsV1") || isText(bytes, start, end, "fieldsType");
}
