/**
 * Holds the source to the house's two rules: which folder may import which, and that nothing but `base` and the
 * transports touches the machine's time, chance or network.
 *
 * @module
 */

/** What each folder of `src` may import from other folders of `src`. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  types: ["base"],
  base: [],
  pager: ["base", "types"],
  client: ["pager", "base", "types"],
  bytes: ["base"],
  cache: ["bytes", "pager", "base", "types"],
  workqueue: ["base"],
  controller: ["cache", "workqueue", "client", "base", "types"],
  "testing/api_server": ["base", "types"],
  "testing/serve": ["testing", "testing/api_server", "base", "types"],
  testing: [
    "testing/api_server",
    "controller",
    "cache",
    "workqueue",
    "client",
    "pager",
    "base",
    "types",
  ],
};

/** Outside packages that the published source may import. */
const PACKAGES: readonly RegExp[] = [
  /^@std\/(streams|yaml)\//,
  /^node:/,
  /^undici$/,
];

/** Outside packages that single folders may import: programs read command lines, libraries do not. */
const MORE_PACKAGES: Readonly<Record<string, readonly RegExp[]>> = {
  "testing/serve": [/^@std\/cli\//],
};

/** Names that would make a run depend on the machine it runs on. */
const AMBIENT: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b/, "Date.now"],
  [/\bnew Date\(\s*\)/, "new Date()"],
  [/\bperformance\.now\b/, "performance.now"],
  [/\bMath\.random\b/, "Math.random"],
  [/\bcrypto\.randomUUID\b/, "crypto.randomUUID"],
  [/\bconsole\./, "console"],
  [/(?<![.\w#])setTimeout\(/, "setTimeout"],
  [/(?<![.\w#])setInterval\(/, "setInterval"],
  [/(?<![.\w#])fetch\(|\bglobalThis\.fetch\b/, "global fetch"],
];

/** Where they are allowed: the real clock, chance and console, and the files that wrap a runtime's own fetch. */
const AMBIENT_HOME = /^base\/(clock|random|logger)\.ts$|^client\/transport_\w+\.ts$/;

/** One line that breaks a rule. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** Blanks out comments, keeping line breaks; string contents stay, since imports are strings. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (match, quoted) => quoted !== undefined ? match : match.replace(/[^\n]/g, " "),
  );
}

function folderOf(path: string): string {
  if (path.startsWith("testing/api_server/")) return "testing/api_server";
  if (path.startsWith("testing/serve/")) return "testing/serve";
  return path.split("/")[0] ?? "";
}

function resolve(fromFile: string, specifier: string): string {
  const parts = fromFile.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** What is wrong with one source file; `path` is relative to `src`. */
export function checkFile(path: string, text: string): Violation[] {
  const violations: Violation[] = [];
  const folder = folderOf(path);
  const allowed = ARROWS[folder];
  if (allowed === undefined) {
    return [{ file: path, line: 1, problem: `the folder ${folder} has no place in the house` }];
  }
  withoutComments(text).split("\n").forEach((line, index) => {
    const report = (problem: string) => violations.push({ file: path, line: index + 1, problem });
    for (
      const [, specifier] of line.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\s]+)["']/g)
    ) {
      if (specifier === undefined) continue;
      if (!specifier.startsWith(".")) {
        const known = [...PACKAGES, ...(MORE_PACKAGES[folder] ?? [])];
        if (!known.some((one) => one.test(specifier))) report(`imports ${specifier}`);
        continue;
      }
      const target = folderOf(resolve(path, specifier));
      if (target !== folder && !allowed.includes(target)) {
        report(`${folder} must not import ${target} (${specifier})`);
      }
    }
    if (AMBIENT_HOME.test(path)) return;
    for (const [pattern, name] of AMBIENT) {
      if (pattern.test(line)) report(`uses ${name}; take a Clock, Random or fetch instead`);
    }
  });
  return violations;
}

async function* sourceFiles(root: URL, prefix = ""): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(prefix || ".", root))) {
    if (entry.isDirectory) yield* sourceFiles(root, `${prefix}${entry.name}/`);
    else if (entry.name.endsWith(".ts")) yield `${prefix}${entry.name}`;
  }
}

/** What is wrong with the files below `root`. */
export async function checkTree(root: URL): Promise<{ files: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let files = 0;
  for await (const path of sourceFiles(root)) {
    files++;
    violations.push(...checkFile(path, await Deno.readTextFile(new URL(path, root))));
  }
  return { files, violations };
}

if (import.meta.main) {
  const { files, violations } = await checkTree(new URL("../../src/", import.meta.url));
  for (const { file, line, problem } of violations) {
    console.error(`src/${file}:${line}: ${problem}`);
  }
  if (violations.length > 0) Deno.exit(1);
  console.log(`${files} files: imports and ambient time are as they should be`);
}
