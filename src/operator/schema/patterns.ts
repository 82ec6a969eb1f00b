/**
 * Returns why the server's regular expressions (RE2) do not understand a pattern of JavaScript, or undefined if nothing
 * is found. It looks for what RE2 does not have; the server has the last word.
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

/** The longest text that is matched with a pattern, in characters: patterns of JavaScript may need much time. */
const MAX_MATCHED = 1000;

/**
 * Reports whether a text does not match a pattern of a schema. Long texts and patterns that JavaScript does not understand
 * are left to the server.
 */
export function mismatches(text: string, pattern: string): boolean {
  return text.length <= MAX_MATCHED && compile(pattern)?.test(text) === false;
}

/** Returns the regular expression; undefined if it is one of RE2 that JavaScript does not have. */
function compile(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Without the flag `u`, needless backslashes are allowed, as in RE2.
    }
  }
  return undefined;
}
