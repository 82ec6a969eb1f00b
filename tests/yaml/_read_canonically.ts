import { readYaml, readYamlDocuments } from "../../src/yaml/mod.ts";
import { canonical } from "./_recorded.ts";
import type { Request } from "./_texts.ts";

/** Reads a text. Returns the canonical values, or null if it is an error. Empty documents are left out, as by kubectl. */
export async function readCanonically({ how, text }: Request): Promise<string | null> {
  try {
    const values = how === "first" ? [await readYaml(text)] : await readYamlDocuments(text);
    return canonical(how === "first" ? values : values.filter((value) => value !== null));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
