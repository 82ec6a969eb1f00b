import {
  describeValue,
  expandedSize,
  isRecord,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { SERVER_METADATA, withoutMetadata } from "@kubeloop/controller/internal/fields";
import { readYamlDocuments } from "@kubeloop/controller/internal/yaml";
import { type DeepReadonly, itemKindOf, type KubeObject } from "@kubeloop/controller/types";

/** The maximum size of an object, in characters. The server accepts requests of up to 3 MiB. */
const MAX_OBJECT_LENGTH = 3 * 1024 * 1024;
/** The maximum size of a document, in characters, such as a list of many objects. */
const MAX_DOCUMENT_LENGTH = 64 * 1024 * 1024;
/** The maximum depth of nested lists. */
const MAX_LIST_DEPTH = 20;
/** The maximum length of a kind in an error, in characters. */
const MAX_SHOWN = 253;

/** An object to apply, with an apiVersion, a kind and a name; or a list of such objects. */
export type ManifestObject = DeepReadonly<KubeObject> | Readonly<Record<string, unknown>>;

/**
 * Objects to apply: YAML or JSON text with any number of documents, an object, or an iterable of texts and objects. Lists are
 * replaced by their items.
 */
export type Manifests =
  | string
  | ManifestObject
  | Iterable<string | ManifestObject>
  | AsyncIterable<string | ManifestObject>;

/** An object to apply, with its place in the input. */
export interface Manifest {
  /** The place in the input, for error messages. */
  readonly where: string;
  /** The object, without the metadata that only the server sets. */
  readonly object: KubeObject & { readonly apiVersion: string; readonly kind: string };
}

/**
 * Reads the objects of the input in order. Texts are parsed as kubectl does.
 *
 * @throws {SyntaxError} If a text is neither YAML nor JSON. The message names the line and the column.
 * @throws {TypeError} If something is not an object with an apiVersion, a kind and a name. Messages do not quote values.
 */
export async function readManifests(input: Manifests): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  if (typeof input === "string") await readText(input, "", manifests);
  else if (isIterable(input)) {
    let count = 0;
    for await (const part of input) {
      count++;
      if (typeof part === "string") await readText(part, `text ${count}, `, manifests);
      else readDocument(part, `object ${count}`, manifests);
    }
  } else readDocument(input, "the object", manifests);
  return manifests;
}

function isIterable(input: unknown): input is Iterable<string> | AsyncIterable<string> {
  if (typeof input !== "object" || input === null) return false;
  return Symbol.iterator in input || Symbol.asyncIterator in input;
}

async function readText(text: string, prefix: string, manifests: Manifest[]): Promise<void> {
  (await parseDocuments(text, prefix)).forEach((document, index) => {
    // Empty documents are common, before the first `---` and after the last one.
    if (document !== null) readDocument(document, `${prefix}document ${index + 1}`, manifests);
  });
}

async function parseDocuments(text: string, prefix: string): Promise<unknown[]> {
  const where = prefix === "" ? "the manifests" : prefix.slice(0, -2);
  try {
    return await readYamlDocuments(text);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new TypeError(
        `Cannot read ${where}: with what its aliases (*) stand for, it is longer than a request may be`,
      );
    }
    if (!(error instanceof SyntaxError)) throw error;
    const hint = text.includes("{{") ? " (a Helm template must be rendered first)" : "";
    throw new SyntaxError(`Cannot read ${where}: no YAML at ${error.message}${hint}`);
  }
}

/** Reads a document, or an object from the caller. */
function readDocument(value: unknown, where: string, manifests: Manifest[]): void {
  // YAML aliases, or the same object in several lists, can make a small value very large.
  if (expandedSize(value) > MAX_DOCUMENT_LENGTH) {
    throw new TypeError(
      `Cannot read ${where}: it is longer than ${MAX_DOCUMENT_LENGTH} bytes: split the list`,
    );
  }
  readObject(value, where, manifests, { depth: 0 });
}

/** Facts about the list that contains an object. */
interface Listed {
  /** The number of enclosing lists. */
  readonly depth: number;
  readonly apiVersion?: unknown;
  readonly kind?: string;
}

function readObject(value: unknown, where: string, manifests: Manifest[], listed: Listed): void {
  if (!isRecord(value)) {
    throw new TypeError(
      `Cannot read ${where}: expected an object of Kubernetes, received ${describeValue(value)}`,
    );
  }
  const { apiVersion = listed.apiVersion, kind = listed.kind, items, metadata } = value;
  // Go writes an empty list as null.
  const isList = typeof kind === "string" && kind.endsWith("List") &&
    (Array.isArray(items) || items === null);
  if (isList) {
    const depth = listed.depth + 1;
    if (depth > MAX_LIST_DEPTH) {
      throw new TypeError(`Cannot read ${where}: more than ${MAX_LIST_DEPTH} lists in each other`);
    }
    const itemKind = itemKindOf(kind);
    // The items of a `List` have their own kinds.
    const ofItems = itemKind === undefined ? { depth } : { depth, apiVersion, kind: itemKind };
    (items ?? []).forEach((item: unknown, i: number) =>
      readObject(item, `${where}, item ${i + 1}`, manifests, ofItems)
    );
    return;
  }
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (typeof text !== "string" || text === "") {
      throw new TypeError(
        `Cannot read ${where}: ${field} must be a text, received ${describeValue(text)}`,
      );
    }
  }
  const shown = visibleText(String(kind), MAX_SHOWN);
  if (isRecord(metadata) && typeof metadata["name"] === "boolean") {
    throw new TypeError(
      `Cannot read ${where}: metadata.name of the ${shown} is ${
        metadata["name"]
      }: in YAML, yes, no, on, off, y and n need quotes`,
    );
  }
  if (!isRecord(metadata) || typeof metadata["name"] !== "string" || metadata["name"] === "") {
    const isGenerated = isRecord(metadata) && metadata["generateName"] !== undefined;
    throw new TypeError(
      `Cannot read ${where}: the ${shown} has no metadata.name${
        isGenerated ? ": an object with a generateName can be created, not applied" : ""
      }`,
    );
  }
  if (expandedSize(value) > MAX_OBJECT_LENGTH) {
    throw new TypeError(
      `Cannot read ${where}: the ${shown} is longer than the ${MAX_OBJECT_LENGTH} bytes of a request`,
    );
  }
  const object = { ...value, apiVersion, kind } as Manifest["object"];
  manifests.push({ where, object: withoutMetadata(object, SERVER_METADATA) });
}
