/**
 * Returns the construct of a JavaScript pattern that RE2, the engine of the server, does not support; undefined if none is
 * found. The server may still refuse the pattern.
 */
export function patternTrouble(pattern: string): string | undefined {
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i, i + 4);
    if (rest.startsWith("\\")) {
      const trouble = escapeTrouble(pattern[i + 1] ?? "");
      if (trouble !== undefined) return trouble;
      i++;
    } else if (inClass) inClass = !rest.startsWith("]");
    else if (rest.startsWith("[")) {
      if (rest.startsWith("[]") || rest.startsWith("[^]")) return "has an empty class, [] or [^]";
      inClass = true;
    } else if (/^\(\?<?[=!]/.test(rest)) return "has a lookahead or a lookbehind";
  }
  return undefined;
}

function escapeTrouble(letter: string): string | undefined {
  if (/[1-9k]/.test(letter)) return "has a backreference";
  if (letter === "u") return "has a \\u escape: write \\x{…}";
  if (letter === "c") return "has a \\c escape";
  return undefined;
}
