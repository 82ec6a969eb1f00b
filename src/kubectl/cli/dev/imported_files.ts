import { readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The maximum number of files of a program. */
const MAX_FILES = 5_000;

/** Matches an import of a file: static, dynamic, or for its side effects; and a URL beside the module. */
const IMPORTS = /(?:\bfrom|\bimport|\bURL)[\s(]{0,20}["'](\.{1,2}\/[^"'\n]{1,500})["']/g;

const SCRIPTS = /\.[cm]?[jt]sx?$/;

/** Matches an import of a package of this library. Other packages may have another module for each way to load them. */
const PACKAGES = /["']((?:@kubeloop\/|kubeloop\b)[\w./-]{0,200})["']/g;

/** Returns the packages of this library that a program imports. */
export function importedPackages(texts: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, specifier = ""] of text.matchAll(PACKAGES)) found.add(specifier);
  }
  return [...found];
}

/**
 * Returns the texts of a program's own files by their paths: the file, and all that it imports by a relative path, however
 * far away. Packages are not among them.
 *
 * @throws {Error} If the file itself cannot be read.
 */
export async function importedFiles(file: string): Promise<Map<string, string>> {
  // Runtimes resolve imports from the real path of a linked file.
  const entry = await realpath(file);
  const texts = new Map([[entry, await readFile(entry, "utf8")]]);
  for (const [path, text] of texts) {
    if (!SCRIPTS.test(path)) continue;
    for (const [, specifier = ""] of text.matchAll(IMPORTS)) {
      const named = resolve(dirname(path), specifier);
      const target = await realpath(named).catch(() => named);
      if (texts.has(target) || texts.size >= MAX_FILES) continue;
      // A missing file is an error of the program, or the text only looks like an import.
      const found = await readFile(target, "utf8").catch(() => undefined);
      if (found !== undefined) texts.set(target, found);
    }
  }
  return texts;
}
