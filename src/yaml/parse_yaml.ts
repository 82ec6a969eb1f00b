import { decodeNode } from "./decode_node.ts";
import { nodeOf } from "./node.ts";
import { parseToEvents } from "./parse_events.ts";
import { requireYaml11 } from "./require_yaml11.ts";
import { problemsOf } from "./yaml_problem.ts";

/**
 * Characters that YAML 1.1 does not allow, not even in quotes, and a single carriage return, which parsers read
 * differently.
 */
// deno-lint-ignore no-control-regex
const NOT_ALLOWED = /[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * Parses one document.
 *
 * @param given The text of the document.
 * @param firstLine The number of its first line in the file.
 * @throws {SyntaxError} If it is not YAML, or if it cannot be JSON.
 */
export function parseYaml(given: string, firstLine: number): unknown {
  // A next line (U+0085) is a line break like any other in YAML 1.1.
  const text = given.replaceAll("\x85", "\n");
  const problem = problemsOf(text, firstLine);
  const control = text.search(NOT_ALLOWED);
  if (control >= 0) throw problem(control, "expected a printable character, or an escape");
  const parsed = parseToEvents(text, problem);
  requireYaml11(parsed);
  const node = nodeOf(parsed);
  return node === undefined ? null : decodeNode(node, parsed.problem);
}
