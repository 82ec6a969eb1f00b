/**
 * A token that a header can carry. The message does not show it.
 *
 * @throws {TypeError} When it cannot be carried.
 */
export function requireToken(token: string, source: string): string {
  if (!isHeaderSafe(token)) {
    const problem = /[\r\n]/.test(token)
      ? "holds a line break"
      : token === ""
      ? "is empty"
      : "holds a space or another character that a header cannot carry";
    throw new TypeError(`Bearer token from ${source} ${problem}: expected one line of ASCII`);
  }
  return token;
}

/** Whether `token` is one word of ASCII. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
