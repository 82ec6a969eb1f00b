/// <reference lib="dom" />
import { MAX_TEXT } from "../protocol.ts";

/** A program with its objects. */
export interface Sketch {
  readonly program: string;
  /** The objects that are applied, in YAML. */
  readonly yaml: string;
}

/** The maximum length of the part of a link after `#`, in characters: longer ones are cut by some programs. */
export const MAX_LINK = 32_000;

const PROGRAM = "#program=";
const EXAMPLE = "#example=";

/** Returns the part of a link after `#` that holds a sketch; undefined if it would be too long. */
export async function linkOf({ program, yaml }: Sketch): Promise<string | undefined> {
  const json = new TextEncoder().encode(JSON.stringify([program, yaml]));
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length > MAX_LINK ? undefined : PROGRAM + text;
}

/** Returns the part of a link after `#` that names an example. */
export function linkOfExample(id: string): string {
  return EXAMPLE + id;
}

/** Returns the name of the example of a link; undefined if it names none. */
export function exampleOf(hash: string): string | undefined {
  return hash.startsWith(EXAMPLE) ? hash.slice(EXAMPLE.length) : undefined;
}

/**
 * Reads the sketch of a link; undefined if it holds none.
 *
 * @throws {SyntaxError} If it is damaged, or too large.
 */
export async function sketchOf(hash: string): Promise<Sketch | undefined> {
  if (!hash.startsWith(PROGRAM)) return undefined;
  try {
    const text = hash.slice(PROGRAM.length);
    if (text.length > MAX_LINK) throw new RangeError("too long");
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const sketch: unknown = JSON.parse(await boundedText(stream));
    const [program, yaml] = sketch as readonly unknown[];
    if (typeof program !== "string" || typeof yaml !== "string") throw new TypeError("no texts");
    return { program, yaml };
  } catch (error) {
    throw new SyntaxError(
      "The link does not hold a program: it is damaged or too large. Ask for it again, or choose an example",
      { cause: error },
    );
  }
}

/** Reads a text that may expand to far more than it should. */
async function boundedText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // Not every browser iterates over a stream.
  const reader = stream.getReader();
  let text = "";
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true });
    if (text.length > 3 * MAX_TEXT) {
      await reader.cancel();
      throw new RangeError("too large");
    }
  }
  return text + decoder.decode();
}
