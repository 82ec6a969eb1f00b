import { parseCount } from "@kubeloop/controller/internal/base";
import { BLOCK, decodeHeader, decodeText, type RawHeader, type TarHeader } from "./tar_format.ts";

/** The maximum length of a path, link target or extended header, in bytes. Linux allows paths of 4,096 bytes. */
const MAX_NAME_BYTES = 64 * 1024;

/** The maximum number of bytes read after the end of an archive. GNU tar pads to 10 KiB by default. */
const MAX_REST_BYTES = 2 * 1024 * 1024;

/** An entry of an archive. Its content can be read until the next entry is requested. */
export interface TarEntry {
  readonly header: TarHeader;
  /** The bytes of a file. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Fields of a header that preceding blocks replace. */
type Overrides = { -readonly [Field in keyof RawHeader]?: RawHeader[Field] };

/**
 * Reads an archive of GNU tar, busybox or POSIX as a stream. It holds one chunk at a time. Entries whose names are not
 * UTF-8 get the type `other`.
 *
 * @throws {Error} If the bytes are not an archive, or are incomplete.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(chunks[Symbol.asyncIterator]());
  let overrides: Overrides = {};
  while (true) {
    const raw = decodeHeader(await source.exactly(BLOCK));
    if (raw === undefined) return await source.drain();
    if (raw.flag === "L" || raw.flag === "K" || raw.flag === "x" || raw.flag === "g") {
      const bytes = await extended(source, raw);
      if (raw.flag === "L") Object.assign(overrides, pathOf(bytes));
      else if (raw.flag === "K") Object.assign(overrides, targetOf(bytes));
      // Skip global headers (`g`), which have comments and times.
      else if (raw.flag === "x") Object.assign(overrides, paxOverrides(bytes));
      continue;
    }
    const header = { ...raw, ...overrides };
    overrides = {};
    // Links and directories have no content, whatever their size says.
    const size = header.type === "file" || header.type === "other" ? header.size : 0;
    const isLink = header.type === "symlink" || header.type === "hardlink";
    const isValid = header.hasValidPath && (!isLink || header.hasValidTarget);
    const content = new Content(source, size);
    yield { header: { ...header, size, type: isValid ? header.type : "other" }, content };
    for await (const _ of content);
    await source.skip((BLOCK - size % BLOCK) % BLOCK);
  }
}

async function extended(source: ByteSource, { size }: RawHeader): Promise<Uint8Array> {
  if (size > MAX_NAME_BYTES) {
    throw new Error(`A name in the archive has ${size} bytes, the limit is ${MAX_NAME_BYTES}`);
  }
  const bytes = await source.exactly(size);
  await source.skip((BLOCK - size % BLOCK) % BLOCK);
  return bytes;
}

function pathOf(bytes: Uint8Array): Overrides {
  const { text, isValid } = decodeText(bytes);
  return { path: text, hasValidPath: isValid };
}

function targetOf(bytes: Uint8Array): Overrides {
  const { text, isValid } = decodeText(bytes);
  return { target: text, hasValidTarget: isValid };
}

/**
 * Reads the records `LENGTH KEY=VALUE\n` of a POSIX header. The length counts the whole record.
 *
 * @throws {Error} If a record is malformed.
 */
function paxOverrides(bytes: Uint8Array): Overrides {
  const found: Overrides = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(SPACE, at);
    const digits = decodeText(bytes.subarray(at, Math.max(at, space))).text;
    const end = at + (parseCount(digits, bytes.length - at) ?? 0);
    const equals = bytes.subarray(0, end).indexOf(EQUALS, space);
    // A record ends with a line break, and has a key and a value before it.
    if (end <= space || equals < 0 || bytes[end - 1] !== LINE_FEED) throw malformed();
    const value = bytes.subarray(equals + 1, end - 1);
    switch (decodeText(bytes.subarray(space + 1, equals)).text) {
      case "path":
        Object.assign(found, pathOf(value));
        break;
      case "linkpath":
        Object.assign(found, targetOf(value));
        break;
      case "size": {
        const size = parseCount(decodeText(value).text, Number.MAX_SAFE_INTEGER);
        if (size === undefined) throw malformed();
        found.size = size;
      }
    }
    at = end;
  }
  return found;
}

function malformed(): Error {
  return new Error("An extended header of the archive is malformed");
}

const LINE_FEED = 10;
const SPACE = 32;
const EQUALS = 61;

/** The content of an entry, which can be read once. */
class Content implements AsyncIterable<Uint8Array> {
  readonly #source: ByteSource;
  #left: number;

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.#left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const part = await this.#source.some(this.#left);
      this.#left -= part.length;
      yield part;
    }
  }
}

/** Reads exact numbers of bytes from chunks of any size. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Returns at least one and at most `max` bytes. */
  async some(max: number): Promise<Uint8Array> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error("The archive ended before its end: tar was stopped");
      this.#chunk = value;
    }
    const part = this.#chunk.subarray(0, max);
    this.#chunk = this.#chunk.subarray(part.length);
    return part;
  }

  async exactly(length: number): Promise<Uint8Array> {
    const whole = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const part = await this.some(length - at);
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) left -= (await this.some(left)).length;
  }

  /**
   * Reads the zeros after the end, so that tar can finish writing.
   *
   * @throws {Error} If more bytes follow than tar writes.
   */
  async drain(): Promise<void> {
    for (let read = 0; read <= MAX_REST_BYTES;) {
      const { done, value } = await this.#chunks.next();
      if (done) return;
      read += value.length;
    }
    throw new Error(`The archive goes on after its end, for more than ${MAX_REST_BYTES} bytes`);
  }
}
