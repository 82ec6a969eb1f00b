/** Thrown for text that is not YAML. The message is that of the API server's parser. */
export class YamlError extends Error {
  /** Always `YamlError`. */
  override readonly name: string = "YamlError";
}

/**
 * Returns the error for a problem.
 *
 * @param line The number of the line; 0 if the message names none.
 */
export function yamlProblem(problem: string, line = 0): YamlError {
  return new YamlError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
