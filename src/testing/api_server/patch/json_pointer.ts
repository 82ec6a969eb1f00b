/** Returns the keys of a JSON pointer (RFC 6901), such as `a` and `0` of `/a/0`; none for the whole document. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
