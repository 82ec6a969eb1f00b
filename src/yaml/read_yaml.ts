/**
 * Reads all documents of a text as `kubectl apply` does, with the decoder of k8s.io/apimachinery: objects of JSON, one
 * after the other, or documents of YAML 1.1 between lines of `---`. Of several values of one key, the last is used.
 *
 * An integer beyond 2^53 - 1 is a bigint. Values are trees: each alias becomes a copy.
 *
 * @param text The text of a file.
 * @returns The values of the documents. An empty document is null.
 * @throws {SyntaxError} If the text is not YAML, or if it cannot be JSON, as `.inf`. The message begins with the line
 *   and the column, and quotes nothing, because the text may be a secret.
 * @throws {RangeError} If its aliases expand to too much. Go has the same limit: of a large document, ten percent of
 *   the values may come from aliases.
 */
export async function readYamlDocuments(text: string): Promise<unknown[]> {
  const { parseDocuments } = await import("./parse_documents.ts");
  return parseDocuments(text);
}

/**
 * Reads the first document of a text, as client-go reads a kubeconfig, with sigs.k8s.io/yaml.
 *
 * @param text The text of a file. What follows the first document is not read.
 * @returns The value, as {@linkcode readYamlDocuments} returns it; null if there is no document.
 * @throws {SyntaxError | RangeError} As {@linkcode readYamlDocuments} does.
 */
export async function readYaml(text: string): Promise<unknown> {
  const { parseFirstDocument } = await import("./parse_documents.ts");
  return parseFirstDocument(text);
}
