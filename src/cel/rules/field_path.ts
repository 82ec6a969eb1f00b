import { child, item } from "../../values/mod.ts";
import type { Structural } from "../../structural/mod.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** Splits a path at its periods and brackets, which are tokens themselves. Quoted text is one token. */
function tokensOf(path: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < path.length;) {
    let end = at + 1;
    if (path[at] === "'") {
      while (end < path.length && !(path[end] === "'" && path[end - 1] !== "\\")) end++;
      end = Math.min(end + 1, path.length);
    } else if (!".[]".includes(path[at]!)) {
      while (end < path.length && !".[]".includes(path[end]!)) end++;
    }
    tokens.push(path.slice(at, end));
    at = end;
  }
  return tokens;
}

function unquote(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  let valid = true;
  const text = token.slice(1, -1).replace(/\\(.)/g, (_, char: string) => {
    if (!Object.hasOwn(ESCAPES, char)) valid = false;
    return ESCAPES[char] ?? "";
  });
  return valid ? text : undefined;
}

/** Returns the `fieldPath` of a rule as a path below its schema; undefined if the schema has no such field. */
export function resolveFieldPath(path: string, schema: Structural): string | undefined {
  const tokens = tokensOf(path);
  let here: Structural | undefined = schema;
  let result = "";
  for (let at = 0; at < tokens.length;) {
    const bracket: boolean = tokens[at] === "[";
    if (!bracket && tokens[at] !== ".") return undefined;
    const token = tokens[at + 1];
    if (token === undefined || (bracket && tokens[at + 2] !== "]")) return undefined;
    const name: string | undefined = bracket ? unquote(token) : token;
    if (name === undefined || here === undefined) return undefined;
    if (here.properties.size > 0) {
      here = here.properties.get(name);
      if (here === undefined) return undefined;
      result = child(result, name);
    } else if (typeof here.additional === "object") {
      here = here.additional;
      result = item(result, name);
    } else return undefined;
    at += bracket ? 3 : 2;
  }
  return result;
}
