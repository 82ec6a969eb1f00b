import { concatBytes, parseCount } from "@kubeloop/controller/internal/base";

/** The type of an entry of an archive; `other` for entries that cannot be copied. */
export type TarType = "file" | "directory" | "symlink" | "hardlink" | "other";

/** The header of an entry. */
export interface TarHeader {
  /** The path in the archive. */
  readonly path: string;
  readonly type: TarType;
  /** The permissions. */
  readonly mode: number;
  /** The size of the content, in bytes. */
  readonly size: number;
  /** The time of the last change, in seconds since the Unix epoch. */
  readonly mtime: number;
  /** The target of a link; empty for other entries. */
  readonly target: string;
}

/** The size of the blocks that archives consist of, in bytes. */
export const BLOCK = 512;

const TYPES: Readonly<Record<string, TarType>> = {
  "\0": "file",
  "0": "file",
  "7": "file",
  "1": "hardlink",
  "2": "symlink",
  "5": "directory",
};

const FLAGS: Readonly<Record<TarType, string>> = {
  file: "0",
  hardlink: "1",
  symlink: "2",
  directory: "5",
  other: "3",
};

/** The largest number of eleven octal digits. Larger numbers are written in binary, as in GNU tar. */
const MAX_OCTAL = 8 ** 11 - 1;

/** Returns the blocks of a header. Long paths get blocks of their own, as in GNU tar. */
export function encodeHeader(header: TarHeader): Uint8Array {
  const path = encoder.encode(header.path);
  const target = encoder.encode(header.target);
  return concatBytes([
    ...path.length > 100 ? [longName("L", path)] : [],
    ...target.length > 100 ? [longName("K", target)] : [],
    headerBlock(header, path, target, FLAGS[header.type]),
  ]);
}

/** Returns the zeros that fill the last block of a file. */
export function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - size % BLOCK) % BLOCK);
}

/** A decoded header block, before long names are applied to it. */
export interface RawHeader extends TarHeader {
  /** The type flag. */
  readonly flag: string;
  /** Whether the path is UTF-8. */
  readonly hasValidPath: boolean;
  /** Whether the target is UTF-8. */
  readonly hasValidTarget: boolean;
}

/**
 * Reads a header. Returns undefined for a block of zeros, which ends an archive.
 *
 * @throws {Error} If the block is not a header.
 */
export function decodeHeader(block: Uint8Array): RawHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (checksum(block) !== readNumber(block, 148, 8)) {
    throw new Error("What tar sent is no archive: the checksum of a header is wrong");
  }
  const hasPrefix = decodeText(field(block, 257, 5)).text === "ustar" && block[262] === 0;
  const prefix = decodeText(hasPrefix ? field(block, 345, 155) : NOTHING);
  const name = decodeText(field(block, 0, 100));
  const target = decodeText(field(block, 157, 100));
  const flag = String.fromCharCode(block[156]!);
  return {
    flag,
    path: prefix.text === "" ? name.text : `${prefix.text}/${name.text}`,
    // Before POSIX, a directory was a file whose name ends with a slash.
    type: flag === "\0" && name.text.endsWith("/")
      ? "directory"
      : Object.hasOwn(TYPES, flag)
      ? TYPES[flag]!
      : "other",
    mode: readNumber(block, 100, 8),
    size: readNumber(block, 124, 12),
    // A negative time is before 1970.
    mtime: isNegative(block, 136) ? 0 : readNumber(block, 136, 12),
    target: target.text,
    hasValidPath: prefix.isValid && name.isValid,
    hasValidTarget: target.isValid,
  };
}

/** A decoded text of an archive. */
export interface DecodedText {
  /** The text, up to the first NUL, with U+FFFD in place of bytes that are not UTF-8. */
  readonly text: string;
  /** Whether all bytes are UTF-8. If not, different names may have the same text. */
  readonly isValid: boolean;
}

/** Decodes a name. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const end = bytes.indexOf(0);
  const used = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(used),
      isValid: true,
    };
  } catch {
    return { text: new TextDecoder().decode(used), isValid: false };
  }
}

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

function longName(flag: string, name: Uint8Array): Uint8Array {
  const header = {
    path: "",
    type: "file",
    mode: 0,
    size: name.length + 1,
    mtime: 0,
    target: "",
  } as const;
  const link = encoder.encode("././@LongLink");
  return concatBytes([
    headerBlock(header, link, new Uint8Array(0), flag),
    name,
    new Uint8Array(1),
    padding(name.length + 1),
  ]);
}

function headerBlock(
  { mode, size, mtime }: TarHeader,
  path: Uint8Array,
  target: Uint8Array,
  flag: string,
): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(path.subarray(0, 100), 0);
  block.set(encoder.encode(octal(mode, 7)), 100);
  block.set(encoder.encode(octal(0, 7)), 108);
  block.set(encoder.encode(octal(0, 7)), 116);
  writeNumber(block, 124, size);
  writeNumber(block, 136, Math.max(0, Math.floor(mtime)));
  block.set(encoder.encode(flag), 156);
  block.set(target.subarray(0, 100), 157);
  // GNU's magic, for the long names.
  block.set(encoder.encode("ustar  \0"), 257);
  block.set(encoder.encode(`${octal(checksum(block), 6)}\0 `), 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function writeNumber(block: Uint8Array, at: number, value: number): void {
  if (value <= MAX_OCTAL) {
    block.set(encoder.encode(octal(value, 11)), at);
    return;
  }
  new DataView(block.buffer).setBigUint64(at + 4, BigInt(value));
  block[at] = 0x80;
}

/**
 * Reads octal digits, or the binary number that GNU tar writes for large ones.
 *
 * @throws {Error} If the bytes are neither, or the number is negative or too large.
 */
function readNumber(block: Uint8Array, at: number, length: number): number {
  if (isNegative(block, at)) throw new Error("A number in the archive is negative");
  if ((block[at]! & 0x80) !== 0) {
    let value = block[at]! & 0x7f;
    for (let i = 1; i < length; i++) value = value * 256 + block[at + i]!;
    if (value > Number.MAX_SAFE_INTEGER) throw new Error("A number in the archive is too large");
    return value;
  }
  const text = decodeText(field(block, at, length)).text.trim();
  const value = text === "" ? 0 : parseCount(text, MAX_OCTAL, 8);
  if (value !== undefined) return value;
  throw new Error("What tar sent is no archive: a number is malformed");
}

/** Reports whether a number is a binary one below 0. */
function isNegative(block: Uint8Array, at: number): boolean {
  return (block[at]! & 0xc0) === 0xc0;
}

function field(block: Uint8Array, at: number, length: number): Uint8Array {
  return block.subarray(at, at + length);
}

/** Returns the sum of the bytes, with spaces for the checksum itself. */
function checksum(block: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : block[at]!;
  return sum;
}
