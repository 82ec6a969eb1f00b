import { posix } from "node:path";

/** The modules that a module imports, by its path; both relative to the root of the repository. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the tests that load `file`, the nearest first. Tests in the folder that mirrors the folder of the file precede
 * others. Among them, the test of the same name is first, then tests that share most words of the name, and then tests
 * with the fewest imports in between.
 */
export function nearestTests(file: string, tests: readonly string[], imports: Imports): string[] {
  const distances = distancesTo(file, imports);
  const ranked = tests.filter((test) => distances.has(test)).map((test) => ({
    test,
    shared: sharedFolders(file, test),
    isNamesake: stem(test) === stem(file),
    sharedWords: sharedWords(stem(file), stem(test)),
    distance: distances.get(test)!,
  }));
  ranked.sort((a, b) =>
    b.shared - a.shared || Number(b.isNamesake) - Number(a.isNamesake) ||
    b.sharedWords - a.sharedWords || a.distance - b.distance || (a.test < b.test ? -1 : 1)
  );
  return ranked.map(({ test }) => test);
}

function distancesTo(file: string, imports: Imports): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of imports) {
    for (const target of targets) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [from]);
      else known.push(from);
    }
  }
  const distances = new Map([[file, 0]]);
  // A Map also iterates over what is added meanwhile, which makes this a breadth-first search.
  for (const [module, distance] of distances) {
    for (const importer of importers.get(module) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** The number of folders, from the top, that a test has in common with a file below `src`. */
function sharedFolders(file: string, test: string): number {
  const [ours, theirs] = [file, test].map((path) => posix.dirname(path).split("/").slice(1));
  const end = ours!.findIndex((name, i) => name !== theirs![i]);
  return end === -1 ? ours!.length : end;
}

function sharedWords(one: string, other: string): number {
  const words = new Set(other.split("_"));
  return one.split("_").filter((word) => words.has(word)).length;
}

function stem(path: string): string {
  return posix.basename(path, ".ts").replace(/_test$/, "");
}
