/**
 * The examples of pages and docstrings as test modules, as `deno test --doc` makes them. That gives each example an isolate,
 * which loads the library again; these modules can share one.
 *
 * @module
 */

/** The test module of an example. */
export interface ExampleModule {
  /** The place of the example, such as `docs/caches.md.7.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Matches an example in a page or in a docstring. Omits the blocks that begin with "```ts ignore". */
const EXAMPLE = /^( *\* )?```ts$\n([^]*?)^ *(?:\* )?```$/gm;

/** Matches an import, which may have several lines. */
const IMPORT = /^import\b[^;]*;$/gm;

/**
 * Returns the modules of the examples in the file at `path`. A line has the same number in the module as in the file. Each
 * example becomes a test, unless it registers tests itself.
 */
export function exampleModules(path: string, text: string): ExampleModule[] {
  return [...text.matchAll(EXAMPLE)].map(({ index, 1: stars, 2: lines = "" }) => {
    const line = text.slice(0, index).split("\n").length;
    const code = stars === undefined ? lines : lines.replace(/^ *\* ?/gm, "");
    const imports: string[] = [];
    const body = code.replace(IMPORT, (statement) => {
      imports.push(statement.replaceAll("\n", " "));
      return statement.replace(/[^\n]/g, "");
    });
    const isTest = body.includes("Deno.test(");
    const head = isTest ? "" : `Deno.test(${JSON.stringify(`${path}#${line}`)}, async () => {`;
    return {
      path: `${path}.${line}.ts`,
      text: imports.join(" ") + head + "\n".repeat(line) +
        (isTest ? body : `${body.replace(/^export /gm, "")}});\n`),
    };
  });
}
