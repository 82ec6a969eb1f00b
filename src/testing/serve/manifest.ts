import { parseJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { yamlToJson } from "../api_server/yaml/mod.ts";
import { readText } from "./read_file.ts";

/** The maximum size of a manifest file. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** An object of a manifest file, with its position in the file. */
export interface ManifestObject {
  /** The file and the number of the document, for error messages. */
  readonly where: string;
  /** The object, without the metadata that only a server sets. */
  readonly object: KubeObject;
}

/**
 * Reads the objects of YAML or JSON files. Returns them in the order in which they can be applied: namespaces,
 * CustomResourceDefinitions, the rest.
 *
 * @throws {SyntaxError} When a file does not exist, cannot be parsed, or contains something other than named objects.
 */
export async function readManifests(paths: readonly string[]): Promise<ManifestObject[]> {
  const objects: ManifestObject[] = [];
  for (const path of paths) {
    const text = await readText(path, MAX_FILE_BYTES);
    if (text === undefined) throw new SyntaxError(`Cannot read ${path}: no such file`);
    parseDocuments(path, text).forEach((document, index) => {
      objects.push(...objectsOf(document, `${path}, document ${index + 1}`));
    });
  }
  return objects.sort((a, b) => rank(a.object) - rank(b.object));
}

/** The start of each document but the first. */
const NEXT_DOCUMENT = /^(?=---(?:[ \t\r]|$))/m;

function parseDocuments(path: string, text: string): unknown[] {
  try {
    if (path.endsWith(".json")) return [parseJson(text)];
    return text.split(NEXT_DOCUMENT).map((one) => yamlToJson(one).value)
      .filter((one) => one !== null);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new SyntaxError(`Cannot read ${path}: ${reason}`, { cause: error });
  }
}

/** Returns the object of a document, or the items of a List. */
function objectsOf(document: unknown, where: string): ManifestObject[] {
  const { apiVersion, kind, items, metadata } = (document ?? {}) as Record<string, unknown>;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new SyntaxError(`Cannot read ${where}: apiVersion or kind is missing`);
  }
  if (Array.isArray(items)) {
    return items.flatMap((item, index) => objectsOf(item, `${where}, item ${index + 1}`));
  }
  const name = (metadata as { name?: unknown } | undefined)?.name;
  if (typeof name !== "string" || name === "") {
    throw new SyntaxError(`Cannot read ${where}: the ${kind} has no metadata.name`);
  }
  return [{ where, object: withoutServerFields(document as KubeObject) }];
}

/** Removes the metadata that an object read from a cluster has, but that cannot be applied. */
function withoutServerFields(object: KubeObject): KubeObject {
  const { uid: _u, resourceVersion: _r, managedFields: _m, creationTimestamp: _c, ...metadata } =
    object.metadata;
  return { ...object, metadata };
}

function rank({ kind }: KubeObject): number {
  if (kind === "Namespace") return 0;
  return kind === "CustomResourceDefinition" ? 1 : 2;
}
