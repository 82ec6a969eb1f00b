import { describeValue, expandedSize, isRecord, visibleText } from "../../base/mod.ts";
import { type DeepReadonly, itemKindOf, type KubeObject } from "../../types/mod.ts";

/** The largest object, in characters: the server takes requests of 3 MiB, and Go counts bytes. */
const MAX_OBJECT_LENGTH = 3 * 1024 * 1024;
/** The longest kind or name that an error shows, in characters. */
const MAX_SHOWN = 253;

/** Metadata that an object has that was read from a cluster, and that cannot be applied. */
const SERVER_METADATA = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
];

/** An object to be applied, with an apiVersion, a kind and a name; or a list of such objects. */
export type ManifestObject = DeepReadonly<KubeObject> | Readonly<Record<string, unknown>>;

/**
 * Objects to be applied: YAML or JSON text with any number of documents, an object, or any number of texts and objects.
 * The items of lists are taken one by one.
 */
export type Manifests =
  | string
  | ManifestObject
  | Iterable<string | ManifestObject>
  | AsyncIterable<string | ManifestObject>;

/** An object to be applied, with its place in the input. */
export interface Manifest {
  /** The place, for error messages. */
  readonly where: string;
  /** The object, without the metadata that only a server sets. */
  readonly object: KubeObject & { readonly apiVersion: string; readonly kind: string };
}

/**
 * Reads the objects of the input, in their order.
 *
 * @throws {SyntaxError} If a text is no YAML.
 * @throws {TypeError} If something is no object with an apiVersion, a kind and a name. Messages do not quote values.
 */
export async function readManifests(input: Manifests): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  if (typeof input === "string") await readText(input, "", manifests);
  else if (isIterable(input)) {
    let count = 0;
    for await (const part of input) {
      count++;
      if (typeof part === "string") await readText(part, `text ${count}, `, manifests);
      else readObject(part, `object ${count}`, manifests);
    }
  } else readObject(input, "the object", manifests);
  return manifests;
}

function isIterable(input: unknown): input is Iterable<string> | AsyncIterable<string> {
  if (typeof input !== "object" || input === null) return false;
  return Symbol.iterator in input || Symbol.asyncIterator in input;
}

async function readText(text: string, prefix: string, manifests: Manifest[]): Promise<void> {
  (await parseDocuments(text, prefix)).forEach((document, index) => {
    // Empty documents are usual: before the first `---`, and after the last one.
    if (document !== null) readObject(document, `${prefix}document ${index + 1}`, manifests);
  });
}

async function parseDocuments(text: string, prefix: string): Promise<unknown[]> {
  if (text.trimStart().startsWith("{")) {
    try {
      return [JSON.parse(text)];
    } catch {
      // It may be a mapping of YAML in one line, or have more documents.
    }
  }
  // Imported only when there is text to read: many programs apply objects.
  const { parseAll } = await import("@std/yaml/parse");
  try {
    // The schema of JSON: a date stays a text. JSON itself is YAML.
    return parseAll(text.replace(/^\uFEFF/, ""), { schema: "core" }) as unknown[];
  } catch (error) {
    // The parser's message quotes the text around the error, which may be a secret.
    const place = /line \d{1,9}, column \d{1,9}/.exec(String(error))?.[0];
    const depth = error instanceof RangeError ? ": it is nested too deeply" : "";
    const hint = text.includes("{{") ? " (a Helm template must be rendered first)" : "";
    throw new SyntaxError(
      `Cannot read ${prefix === "" ? "the manifests" : prefix.slice(0, -2)}: no YAML${
        place === undefined ? depth : ` at ${place}`
      }${hint}`,
    );
  }
}

function readObject(value: unknown, where: string, manifests: Manifest[], listed?: {
  readonly apiVersion: unknown;
  readonly kind: string | undefined;
}): void {
  if (!isRecord(value)) {
    throw new TypeError(
      `Cannot read ${where}: expected an object of Kubernetes, received ${describeValue(value)}`,
    );
  }
  const { apiVersion = listed?.apiVersion, kind = listed?.kind, items, metadata } = value;
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) {
    const ofItems = { apiVersion, kind: itemKindOf(kind) };
    // The items of a List have kinds of their own.
    const inherited = ofItems.kind === undefined ? undefined : ofItems;
    items.forEach((item, i) => readObject(item, `${where}, item ${i + 1}`, manifests, inherited));
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
  if (!isRecord(metadata) || typeof metadata["name"] !== "string" || metadata["name"] === "") {
    const isGenerated = isRecord(metadata) && metadata["generateName"] !== undefined;
    throw new TypeError(
      `Cannot read ${where}: the ${shown} has no metadata.name${
        isGenerated ? ": an object with a generateName can be created, not applied" : ""
      }`,
    );
  }
  // In YAML, some hundred bytes of aliases of aliases stand for gigabytes.
  if (expandedSize(value) > MAX_OBJECT_LENGTH) {
    throw new TypeError(
      `Cannot read ${where}: the ${shown} is longer than the ${MAX_OBJECT_LENGTH} bytes of a request`,
    );
  }
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_METADATA.includes(key));
  const object = { ...value, apiVersion, kind, metadata: Object.fromEntries(kept) };
  manifests.push({ where, object: object as Manifest["object"] });
}
