import { isRecord, visibleText } from "@kubeloop/controller/internal/base";
import { readYamlDocuments } from "@kubeloop/controller/internal/yaml";
import type { GivenDefinition } from "./types/mod.ts";

/** The maximum length of a kind in a note, in characters. */
const SHOWN = 60;

/** The CustomResourceDefinitions of a file. */
export interface ReadDefinitions {
  /** The definitions, in the order of the file. */
  readonly definitions: readonly GivenDefinition[];
  /** The kinds of the other objects. */
  readonly skipped: readonly string[];
}

/**
 * Reads the CustomResourceDefinitions in a file with YAML documents or JSON, including the items of lists.
 *
 * @param text The text of the file.
 * @param name The name of the file, for messages.
 * @throws {SyntaxError} If the text is neither YAML nor JSON, or has documents that are not objects of Kubernetes.
 */
export async function readDefinitions(text: string, name: string): Promise<ReadDefinitions> {
  const definitions: GivenDefinition[] = [];
  const skipped: string[] = [];
  const take = (object: unknown, where: string, listed?: string) => {
    const kind = isRecord(object) ? object["kind"] ?? listed : undefined;
    if (!isRecord(object)) {
      throw new SyntaxError(`Cannot read ${where}: it is no object of Kubernetes`);
    }
    if (typeof kind !== "string") {
      skipped.push("no kind");
      return;
    }
    const { items } = object;
    if (kind.endsWith("List") && (Array.isArray(items) || items === null)) {
      const itemKind = kind === "List" ? undefined : kind.slice(0, -"List".length);
      (items ?? []).forEach((item, index) => take(item, `${where}, item ${index + 1}`, itemKind));
    } else if (kind === "CustomResourceDefinition") {
      // Items of a typed list from the API server have no apiVersion and kind.
      definitions.push({
        where: whereOf(object, where),
        object: listed === undefined
          ? object
          : { apiVersion: "apiextensions.k8s.io/v1", ...object },
      });
    } else {
      skipped.push(visibleText(kind, SHOWN));
    }
  };
  const documents = await parseDocuments(text, name);
  documents.forEach((document, index) => {
    if (document !== null) take(document, `${name}, document ${index + 1}`);
  });
  return { definitions, skipped };
}

function whereOf({ metadata }: Record<string, unknown>, where: string): string {
  const name = isRecord(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" ? `${where} (${visibleText(name, SHOWN)})` : where;
}

async function parseDocuments(text: string, name: string): Promise<unknown[]> {
  try {
    return await readYamlDocuments(text);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    const hint = text.includes("{{") ? " (a Helm template must be rendered first)" : "";
    throw new SyntaxError(`Cannot read ${name}: it is no YAML: ${error.message}${hint}`);
  }
}
