/**
 * The programs of this folder, and what a compiler is expected to say about them.
 *
 * A program begins with `// Compiles: …` or `// Refused: …`. The comment `// @ts-expect-error TS2345: part of the message`
 * is above each line with an error. The message must be one line; with `TS2345, in several lines: …` it may have more. Where
 * the versions of TypeScript differ, `TS2345 or TS2741` names both.
 *
 * @module
 */

const FOLDER = new URL("./", import.meta.url);

/** An error of the compiler. */
export interface Diagnostic {
  /** The name of the program. */
  readonly program: string;
  readonly line: number;
  readonly code: string;
  /** The message, with all its lines. */
  readonly message: string;
}

/** An error that is expected. */
interface Expected {
  readonly line: number;
  readonly codes: readonly string[];
  readonly part: string;
  readonly isLong: boolean;
}

/** A program as a user writes it. */
export interface Program {
  /** The name of the file. */
  readonly name: string;
  /** The text without the comments that hide errors. The lines have the same numbers. */
  readonly text: string;
  readonly compiles: boolean;
  readonly expected: readonly Expected[];
}

/** Returns all programs of the folder. */
export async function readPrograms(): Promise<readonly Program[]> {
  const programs: Program[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.endsWith(".ts") || name.startsWith("_") || name.endsWith("_test.ts")) continue;
    programs.push(programOf(name, await Deno.readTextFile(new URL(name, FOLDER))));
  }
  return programs.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Writes the programs, and what they import, into a folder. */
export async function writePrograms(
  folder: string,
  programs: readonly Program[],
  textOf: (text: string) => string = (text) => text,
): Promise<void> {
  for (const { name, text } of programs) {
    await Deno.writeTextFile(`${folder}/${name}`, textOf(text));
  }
  for (const name of ["_same.ts", "_widgets.ts"]) {
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    await Deno.writeTextFile(`${folder}/${name}`, textOf(text));
  }
}

function programOf(name: string, source: string): Program {
  const verdict = /^\/\/ (Compiles|Refused): \S/.exec(source)?.[1];
  if (verdict === undefined) {
    throw new Error(`${name} must begin with "// Compiles: …" or "// Refused: …"`);
  }
  const expected: Expected[] = [];
  source.split("\n").forEach((line, at) => {
    if (!line.includes("@ts-expect-error")) return;
    const [, codes, long, part] =
      /^ *\/\/ @ts-expect-error (TS\d+(?: or TS\d+)?)(, in several lines)?: (.+)$/.exec(line) ?? [];
    if (codes === undefined || part === undefined) {
      throw new Error(`${name}:${at + 1}: expected "@ts-expect-error TS2345: part of the message"`);
    }
    // The comment is line `at + 1`, counted from one, and the error is in the next one.
    expected.push({ line: at + 2, codes: codes.split(" or "), part, isLong: long !== undefined });
  });
  const text = source.replaceAll("@ts-expect-error", "Expected:");
  return { name, text, compiles: verdict === "Compiles", expected };
}

/** Returns what is different from what a program expects; empty if nothing is. */
export function differences(program: Program, diagnostics: readonly Diagnostic[]): string[] {
  const { name, compiles, expected } = program;
  const wrong: string[] = [];
  if (compiles !== (expected.length === 0)) {
    wrong.push(
      `${name}: "Compiles" or "Refused" in its first line does not fit to the expected errors`,
    );
  }
  const found = diagnostics.filter((one) => one.program === name);
  for (const { line, codes, part, isLong } of expected) {
    const at = found.filter((one) => one.line === line);
    const fits = at.some(({ code: had, message }) =>
      codes.includes(had) && message.includes(part) && (isLong || !message.includes("\n"))
    );
    if (fits) continue;
    const had = at.map((one) => `${one.code}: ${one.message}`).join("\n") || "nothing";
    wrong.push(
      `${name}:${line}: expected ${codes.join(" or ")}${
        isLong ? "" : " in one line"
      }: ${part}\n  found ${had}`,
    );
  }
  for (const { line, code, message } of found) {
    if (expected.some((one) => one.line === line)) continue;
    wrong.push(`${name}:${line}: expected no error\n  found ${code}: ${message}`);
  }
  return wrong;
}
