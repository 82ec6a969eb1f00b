import { assertEquals, assertStringIncludes } from "@std/assert";
import { NO_ROWS } from "./no_rows.ts";
import { rows } from "./rows/mod.ts";
import { surfaceOf } from "./surface.ts";
import { entryPoints, readDoc } from "../support/public_docs.ts";

/** Returns what is wrong between the public names, the rows and the list of names without a row. */
function wrongNames(names: readonly string[]): string[] {
  const covered = new Set(rows.flatMap(({ covers }) => covers));
  const without = new Set(NO_ROWS.flatMap(({ names }) => names));
  const known = new Set(names);
  return [
    ...names
      .filter((name) => !covered.has(name) && !without.has(name))
      .map((name) => `${name} has no row in tests/failure_day/rows, nor a reason in no_rows.ts`),
    ...[...covered, ...without]
      .filter((name) => !known.has(name))
      .map((name) => `${name} is no public name that can fail`),
    ...[...without].filter((name) => covered.has(name)).map((name) => `${name} has a row`),
  ];
}

const surface = surfaceOf(await readDoc((await entryPoints()).keys()));

Deno.test("every public function, method and option that opens, waits, writes or calls back has a row", () => {
  assertEquals(wrongNames(surface), []);
});

Deno.test("a new public function, method, option or interface without a row is found", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      file,
      `export interface NewOptions {
        /** Called back. */
        readonly onNew?: () => void;
        readonly size?: number;
      }
      export function newCall(options: NewOptions): Promise<void> {
        return Promise.resolve(options.onNew?.());
      }
      export class New {
        close(): void {}
        async wait(): Promise<void> {}
        get size(): number { return 1; }
      }
      export function pure(size: number): number { return size; }`,
    );
    const found = surfaceOf(await readDoc([file]));
    assertEquals(found, ["New.close", "New.wait", "NewOptions.onNew", "newCall"]);
    const wrong = wrongNames([...surface, ...found]);
    assertEquals(wrong.length, found.length);
    for (const [index, name] of found.entries()) assertStringIncludes(wrong[index] ?? "", name);
  } finally {
    await Deno.remove(file);
  }
});
