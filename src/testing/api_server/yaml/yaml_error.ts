/** Thrown for text that is not YAML. */
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

/** The messages of the API server for reasons of the parser, and how many lines its line number is ahead. */
const MESSAGES: readonly (readonly [RegExp, string, 0 | 1])[] = [
  [/^expected the node content, but found/, "did not find expected node content", 0],
  [/^bad indentation of a sequence/, "did not find expected '-' indicator", 0],
  [/^bad indentation of a mapping|^deficient indentation/, "did not find expected key", 0],
  [/^end of the stream or a document|^directives end/, "did not find expected <document start>", 0],
  [/^can not read a block mapping|^expected ':'/, "could not find expected ':'", 1],
  [/^tab characters/, "found character that cannot start any token", 1],
  [/^unexpected end of the \w+ within a \w+ quoted/, "found unexpected end of stream", 1],
  [/^unknown escape/, "found unknown escape character", 1],
  [/^expected hexadecimal/, "did not find expected hexdecimal number", 1],
  [/^nesting exceeded/, "exceeded max depth of 10000", 1],
];

/** The messages of the API server for a character where a line of a mapping cannot have it. */
const MISPLACED: Readonly<Record<string, string>> = {
  ":": "mapping values are not allowed in this context",
  "-": "block sequence entries are not allowed in this context",
  "@": "found character that cannot start any token",
  "`": "found character that cannot start any token",
  "%": "found character that cannot start any token",
};

/** Returns the error of the API server for a reason of the parser; `line` counts from 0. */
export function parserProblem(
  reason: string,
  text: string,
  position: number,
  line: number,
): YamlError {
  const before = text.slice(0, position).trimEnd();
  if (/ within a flow collection$|^missed comma/.test(reason)) {
    const isEnd = reason.startsWith("unexpected end");
    const wantsNode = isEnd && /[[{,:]$/.test(before);
    const closing = before.lastIndexOf("{") > before.lastIndexOf("[") ? "}" : "]";
    const problem = wantsNode ? "node content" : `',' or '${closing}'`;
    return yamlProblem(
      `did not find expected ${problem}`,
      wantsNode && !text.endsWith("\n") ? line + 1 : line,
    );
  }
  const misplaced = MISPLACED[text[position] ?? ""];
  if (reason === "bad indentation of a mapping entry" && misplaced !== undefined) {
    return yamlProblem(misplaced, line === 0 ? 0 : line + 1);
  }
  const [, message = reason, ahead = 1] = MESSAGES.find(([pattern]) => pattern.test(reason)) ?? [];
  return yamlProblem(message, line === 0 ? 0 : line + ahead);
}
