/**
 * Small changes of a source text, each of which a test should notice. They are made on the syntax tree, so a mutant always
 * parses; whether it has correct types does not matter, since tests of mutants run without a type check.
 *
 * @module
 */

import ts from "npm:typescript@5.9.3";

/** The kind of code that a mutant changes. */
export type Operator =
  | "boundary"
  | "condition"
  | "constant"
  | "equality"
  | "logic"
  | "return"
  | "statement";

/** One change of a file. */
export interface Mutant {
  readonly operator: Operator;
  /** The file, relative to the root of the repository. */
  readonly file: string;
  /** The line of the change, from 1. */
  readonly line: number;
  /** Where the text that is replaced starts and ends. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

type Change = readonly [Operator, ts.Node, string];

const BINARY: ReadonlyMap<ts.SyntaxKind, readonly [Operator, string]> = new Map([
  [ts.SyntaxKind.LessThanToken, ["boundary", "<="]],
  [ts.SyntaxKind.LessThanEqualsToken, ["boundary", "<"]],
  [ts.SyntaxKind.GreaterThanToken, ["boundary", ">="]],
  [ts.SyntaxKind.GreaterThanEqualsToken, ["boundary", ">"]],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ["equality", "!=="]],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ["equality", "==="]],
  [ts.SyntaxKind.AmpersandAmpersandToken, ["logic", "||"]],
  [ts.SyntaxKind.BarBarToken, ["logic", "&&"]],
]);

/** Returns the mutants of `text`, the content of `file`, in the order of their places. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    // Types do not exist at run time, and log lines about progress are not promised.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || isLogging(node)) return;
    for (const [operator, place, replacement] of changesAt(node)) {
      const [start, end] = [place.getStart(), place.getEnd()];
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const original = text.slice(start, end);
      mutants.push({ operator, file, line, start, end, original, replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/** Returns the text of a file with the change of a mutant. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Returns the place and the change of a mutant in one line. */
export function describeMutant({ file, line, operator, original, replacement }: Mutant): string {
  const short = (text: string) => {
    const flat = text.replaceAll(/\s+/g, " ");
    return flat.length > 70 ? `${flat.slice(0, 67)}...` : flat;
  };
  return `${file}:${line} ${operator}: ${short(original)} -> ${short(replacement) || "(nothing)"}`;
}

function changesAt(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) {
    const [operator, text] = BINARY.get(node.operatorToken.kind) ?? [];
    return operator === undefined ? [] : [[operator, node.operatorToken, text!]];
  }
  // A loop whose condition is negated never ends or never begins: both are noticed at once.
  if (ts.isIfStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isExpressionStatement(node)) return isRemovable(node) ? [["statement", node, ";"]] : [];
  if (ts.isReturnStatement(node)) return isNoted(node) ? [["return", node, "return;"]] : [];
  const constant = otherConstant(node);
  return constant === undefined ? [] : [["constant", node, constant]];
}

/**
 * Reports whether a statement returns something whose absence a caller can notice. The callers of most functions that
 * return `false` take `undefined` for the same; that the constant becomes `true` is a mutant of its own.
 */
function isNoted({ expression }: ts.ReturnStatement): boolean {
  return expression !== undefined && expression.kind !== ts.SyntaxKind.FalseKeyword &&
    expression.getText() !== "undefined";
}

function negated(condition: ts.Expression): Change {
  return ["condition", condition, `!(${condition.getText()})`];
}

/** Reports whether a statement is a call or an assignment. Without `super()`, a constructor always throws. */
function isRemovable({ expression }: ts.ExpressionStatement): boolean {
  return !ts.isStringLiteral(expression) && !expression.getText().startsWith("super(") &&
    !isLogging(expression);
}

function isLogging(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /\blogger\.(debug|info)$/.test(node.expression.getText());
}

function otherConstant(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (ts.isNumericLiteral(node) && !isName(node)) {
    return String(Number(node.getText().replaceAll("_", "")) + 1);
  }
  if (ts.isStringLiteral(node) && !isName(node)) return node.text === "" ? `"?"` : `""`;
  return undefined;
}

/** Reports whether a literal names a module or a property. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node);
}
