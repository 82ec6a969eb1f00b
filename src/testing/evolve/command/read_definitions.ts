import { createReadStream } from "node:fs";
import { isRecord } from "@kubeloop/controller/internal/base";
import { readYamlDocuments } from "@kubeloop/controller/internal/yaml";
import type { CustomResourceDefinition } from "@kubeloop/controller/types";

/** The maximum size of an input, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the CustomResourceDefinitions in a file of YAML or JSON, including the items of lists. Other objects are left out.
 *
 * @param path The path of the file; `-` for standard input.
 * @throws {SyntaxError} If the file cannot be read, or has no definition.
 */
export async function readDefinitions(
  path: string,
  input: AsyncIterable<Uint8Array | string>,
): Promise<readonly CustomResourceDefinition[]> {
  const name = path === "-" ? "standard input" : path;
  let documents: readonly unknown[];
  try {
    const text = await textOf(path === "-" ? input : createReadStream(path));
    documents = await readYamlDocuments(text);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const why = code === "ENOENT" ? "there is no such file" : String(message);
    throw new SyntaxError(`Cannot read ${name}: ${why}`, { cause: error });
  }
  const definitions = documents.flatMap((document) => definitionsIn(document));
  if (definitions.length > 0) return definitions;
  throw new SyntaxError(`There is no CustomResourceDefinition in ${name}`);
}

function definitionsIn(object: unknown, listed?: string): CustomResourceDefinition[] {
  if (!isRecord(object)) return [];
  const { items, kind = listed } = object;
  if (kind === "CustomResourceDefinition") return [object as unknown as CustomResourceDefinition];
  if (!Array.isArray(items) || typeof kind !== "string" || !kind.endsWith("List")) return [];
  // Items of a typed list from a server have no kind.
  return items.flatMap((item) => definitionsIn(item, kind.slice(0, -"List".length)));
}

async function textOf(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new RangeError(`it is larger than ${MAX_BYTES} bytes`);
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
