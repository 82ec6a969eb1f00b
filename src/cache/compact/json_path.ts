/** A path into an object: names joined by dots, where a dot within a name is written `\.`; or the names themselves. */
export type JsonPath = string | readonly string[];

const MAX_KNOWN = 1_000;
const known = new Map<string, readonly string[]>();

/**
 * The names of a path.
 *
 * @throws {SyntaxError} When there are none, or one is empty.
 */
export function parsePath(path: JsonPath): readonly string[] {
  if (typeof path !== "string") return path;
  let names = known.get(path);
  if (names === undefined) {
    names = splitPath(path);
    // Those of a program are few; one that makes them up as it goes must not fill the memory.
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(path, names);
  }
  return names;
}

function splitPath(path: string): readonly string[] {
  const names = path.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."));
  if (!names.includes("")) return names;
  throw new SyntaxError(
    `Cannot read the path ${
      JSON.stringify(path)
    }: expected names joined by dots, as in "metadata.labels.app"`,
  );
}
