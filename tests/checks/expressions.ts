/**
 * Proves that no regular expression in the sources takes more than linear time, whatever the input: an expression that
 * takes quadratic time for a name, a header or a line of a file lets the sender stop the process.
 *
 * `recheck` judges each expression with its proving method (automata), not with its fuzzer, which only searches
 * for an attack. The proving method supports no lookaround and no back-references next to repetitions,
 * so there must be none.
 *
 * Proofs take a minute. Their results are kept in `proved_expressions.json`, as hashes, so only new expressions are proved:
 * `--all` proves all of them again, as the nightly run does, and `--write` also writes the file.
 *
 * @module
 */

import { createHash } from "node:crypto";
import recheck from "npm:recheck@4.5.0/lib/browser.js";
import ts from "npm:typescript@5.9.3";

/** A regular expression in a source file. */
export interface Expression {
  /** The file and the line. */
  readonly place: string;
  /** Its source; undefined if it is made of values that are not known before the program runs. */
  readonly source: string | undefined;
  readonly flags: string;
}

/** Returns the regular expressions in `text`, the content of the file at `path`: literals and arguments of `RegExp`. */
export function expressionsIn(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(file);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const place = `${path}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      /^(globalThis\.)?RegExp$/.test(node.expression.getText())
    ) {
      const [source, flags] = node.arguments ?? [];
      found.push({
        place,
        source: source && textOf(source, constants),
        flags: (flags && textOf(flags, constants)) ?? "",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the strings that a file declares as constants at its top level. */
function constantsOf(file: ts.SourceFile): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const text = initializer && textOf(initializer, constants);
      if (text !== undefined) constants.set(name.getText(), text);
    }
  }
  return constants;
}

/** Returns the value of a string or a template; undefined if it is not known. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, string>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const part = textOf(expression, constants);
    if (part === undefined) return undefined;
    text += part + literal.text;
  }
  return text;
}

/** Returns why it is not proved that an expression takes linear time; undefined if it is. */
export function objection({ source, flags }: Expression): string | undefined {
  if (source === undefined) return "is made of values that are not constants: scan by hand";
  const { status, complexity, error } = recheck.checkSync(source, flags, {
    checker: "automaton",
    maxNFASize: 1_000_000,
    maxPatternSize: 100_000,
    timeout: null,
  });
  const type = complexity?.type;
  if (status === "safe" && (type === "safe" || type === "linear")) return undefined;
  return status === "vulnerable"
    ? `takes ${type} time: scan by hand, or make its parts exclude each other`
    : `cannot be judged (${error?.message ?? error?.kind}): scan by hand`;
}

/**
 * Files whose expressions are not known before the program runs, with the reason why they cannot harm the process.
 */
const NOT_OURS: ReadonlyMap<string, string> = new Map([
  [
    "src/crd/patterns.ts",
    "the patterns of the program's own schema, which a library such as Zod matches in the same way; short texts only",
  ],
]);

async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files.push(...await filesIn(path));
    else if (/\.tsx?$/.test(name)) files.push(path);
  }
  return files.sort();
}

const PROVED = new URL("proved_expressions.json", import.meta.url);

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

async function main(args: readonly string[]): Promise<void> {
  const all = args.length > 0;
  const proved = new Set<string>(all ? [] : JSON.parse(await Deno.readTextFile(PROVED)));
  const judged = new Map<string, string | undefined>();
  let count = 0;
  for (const folder of ["src", "examples"]) {
    for (const path of await filesIn(folder)) {
      for (const expression of expressionsIn(path, await Deno.readTextFile(path))) {
        count++;
        const { place, source, flags } = expression;
        if (source === undefined && NOT_OURS.has(path)) continue;
        const key = `/${source}/${flags}`;
        if (!judged.has(key)) {
          judged.set(key, proved.has(hashOf(key)) ? undefined : objection(expression));
        }
        const problem = judged.get(key);
        if (problem === undefined) continue;
        console.error(
          `${place}: ${source === undefined ? "a regular expression" : key} ${problem}`,
        );
        Deno.exitCode = 1;
      }
    }
  }
  if (Deno.exitCode !== 0) return;
  console.log(`${count} regular expressions take linear time`);
  if (args.includes("--write")) {
    const hashes = [...judged.keys()].map(hashOf).sort();
    await Deno.writeTextFile(PROVED, `${JSON.stringify(hashes, undefined, 2)}\n`);
  }
}

if (import.meta.main) await main(Deno.args);
