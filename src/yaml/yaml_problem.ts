/**
 * Makes the error for a problem in a text.
 *
 * @param position The index of the character that the problem is at.
 * @param problem The problem. It quotes nothing of the text, which may be a secret.
 * @param type The class of the error. Default: `SyntaxError`.
 */
export type Problem = (
  position: number,
  problem: string,
  type?: typeof SyntaxError | typeof RangeError,
) => SyntaxError | RangeError;

/**
 * Returns what makes errors for `text`. Their messages begin with the line and the column.
 *
 * @param firstLine The number of the first line of the text in its file.
 */
export function problemsOf(text: string, firstLine = 1): Problem {
  return (position, problem, type = SyntaxError) => {
    let line = firstLine;
    let start = 0;
    for (let next; (next = text.indexOf("\n", start) + 1) > 0 && next <= position; start = next) {
      line++;
    }
    return new type(`line ${line}, column ${position - start + 1}: ${problem}`);
  };
}
