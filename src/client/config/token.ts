/**
 * Checks that a header can contain `token`, and returns the token. Error messages do not contain it.
 *
 * @throws {TypeError} If `token` is empty or contains anything but printable ASCII without spaces.
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

/** Reports whether `token` is not empty and contains only printable ASCII without spaces. */
export function isHeaderSafe(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
