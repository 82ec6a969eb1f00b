import { parse } from "@std/yaml/parse";
import type { Json } from "../values/mod.ts";

/**
 * Thrown for text that is not YAML. The message imitates that of the API server's parser, as far as another parser can.
 */
export class YamlError extends Error {
  /** Always `YamlError`. */
  override readonly name: string = "YamlError";
}

/**
 * Parses YAML text to JSON.
 *
 * @throws {YamlError} If it is not YAML.
 */
export function parseYamlBody(text: string): Json {
  try {
    return (parse(text, { schema: "json", allowDuplicateKeys: true }) ?? null) as Json;
  } catch (error) {
    const line = /at line ([0-9]+)/.exec((error as Error).message)?.[1] ?? "1";
    // Parsers report different expectations. They agree only on the line.
    throw new YamlError(
      `yaml: line ${Math.min(Number(line), lineCount(text))}: ${reasonOf(error)}`,
    );
  }
}

function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /flow collection|unexpected end/.test(message)
    ? "did not find expected node content"
    : "could not find expected ':'";
}
