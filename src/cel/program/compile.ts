import { check, type Checked, type Variables } from "./checker.ts";
import { checkLiterals } from "./literals.ts";
import { Issues, parse } from "../syntax/mod.ts";

/** The result of a compilation: the checked expression, or the errors as the real server shows them. */
export type Compilation = { readonly checked: Checked } | { readonly issues: string };

/**
 * Parses and checks an expression.
 *
 * @param options `bindings`: whether the expression may use `cel.bind()`. `patches`: whether it may make patches by
 * `Object{…}` and `JSONPatch{…}`. Default: false.
 */
export function compileExpression(
  source: string,
  variables: Variables,
  { bindings = false, patches = false }: {
    readonly bindings?: boolean;
    readonly patches?: boolean;
  } = {},
): Compilation {
  const issues = new Issues(source);
  const expr = parse(source, issues, bindings ? "bindings" : "standard");
  const checked = expr === undefined ? undefined : check(expr, variables, issues, patches);
  if (checked !== undefined) checkLiterals(checked, issues);
  if (checked === undefined || issues.count > 0) return { issues: issues.toString() };
  return { checked };
}
