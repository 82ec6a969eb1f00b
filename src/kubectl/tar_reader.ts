import { BLOCK, decodeHeader, type RawHeader, type TarHeader } from "./tar_format.ts";

/** The longest path, link target or extended header, in bytes. Linux allows paths of 4,096. */
const MAX_NAME_BYTES = 64 * 1024;

/** An entry of an archive. Its content must be read before the next entry, and is skipped otherwise. */
export interface TarEntry {
  readonly header: TarHeader;
  /** The bytes of a file. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Reads an archive of GNU tar, busybox or POSIX as a stream. It holds one chunk at a time.
 *
 * @throws {Error} If it is no archive, or ends before its end.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(chunks[Symbol.asyncIterator]());
  /** What the blocks before a header say about it. */
  let overrides: { path?: string; target?: string; size?: number } = {};
  while (true) {
    const raw = decodeHeader(await source.exactly(BLOCK));
    if (raw === undefined) return await source.drain();
    if (raw.flag === "L" || raw.flag === "K" || raw.flag === "x" || raw.flag === "g") {
      const text = await extended(source, raw);
      if (raw.flag === "L") overrides.path = beforeNul(text);
      else if (raw.flag === "K") overrides.target = beforeNul(text);
      // A header for the whole archive has comments and times.
      else if (raw.flag === "x") overrides = { ...overrides, ...paxOverrides(text) };
      continue;
    }
    const header = { ...raw, ...overrides };
    overrides = {};
    // Links and directories have no content, whatever their size says.
    const size = header.type === "file" || header.type === "other" ? header.size : 0;
    const content = new Content(source, size);
    yield { header: { ...header, size }, content };
    for await (const _ of content);
    await source.skip((BLOCK - size % BLOCK) % BLOCK);
  }
}

async function extended(source: ByteSource, { size }: RawHeader): Promise<string> {
  if (size > MAX_NAME_BYTES) {
    throw new Error(`A name in the archive has ${size} bytes, the limit is ${MAX_NAME_BYTES}`);
  }
  const bytes = await source.exactly(size);
  await source.skip((BLOCK - size % BLOCK) % BLOCK);
  return new TextDecoder().decode(bytes);
}

function beforeNul(text: string): string {
  return text.split("\0")[0]!;
}

/** Reads the records `LENGTH KEY=VALUE\n` of a POSIX header. */
function paxOverrides(text: string): { path?: string; target?: string; size?: number } {
  const bytes = new TextEncoder().encode(text);
  const found: { path?: string; target?: string; size?: number } = {};
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(32, at);
    // Without a space, this is the number of no text, which is 0.
    const length = Number(new TextDecoder().decode(bytes.subarray(at, Math.max(at, space))));
    if (!(length > 0)) {
      throw new Error("An extended header of the archive is malformed");
    }
    const record = new TextDecoder().decode(bytes.subarray(space + 1, at + length - 1));
    const equals = record.indexOf("=");
    const value = record.slice(equals + 1);
    const key = record.slice(0, equals);
    if (key === "path") found.path = value;
    if (key === "linkpath") found.target = value;
    if (key === "size" && /^\d{1,15}$/.test(value)) found.size = Number(value);
    at += length;
  }
  return found;
}

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

/** Reads a number of bytes from chunks of any size. */
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

  /** Reads the zeros after the end, so that tar is not stopped by it. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
