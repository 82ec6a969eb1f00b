/**
 * Refuses sentences that have to be read twice: a docstring that begins with a relative clause, an actor without a name, a noun
 * that comes last. The arguments are files or folders; without any, the whole repository is read.
 *
 * @module
 */

/** A pattern, and the advice that the check prints for it. */
interface Refused {
  readonly pattern: RegExp;
  readonly advice: string;
}

/** Patterns refused at the beginning of a comment or of a test's name. */
const BEGINNINGS: readonly Refused[] = [
  {
    pattern: /^(What|Who|Whom|Whose|Those|That|Of which|Of the)\b/,
    advice: "begin with a noun or an active verb",
  },
];

/** Patterns refused anywhere in a comment, a test's name or a page. */
const ANYWHERE: readonly Refused[] = [
  {
    pattern: /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|later\b)[a-z]/i,
    advice: 'write "is not a …" or "has no …"',
  },
  // A comparison with a noun that was just named is good English: "the ratios, with those of the kept run".
  {
    pattern:
      /(?<!\b(as|with|than|to|from|like|beside|except) )\bthose (that|of|in|which|who|whose|with)\b/i,
    advice: "name the noun",
  },
  {
    pattern:
      /\bthat which\b|(?<!\b(each|all|some|most|many|both|none|either|one|two) )\bof which\b|\bof whom\b|\bones? that\b/i,
    advice: "name the noun",
  },
  // Not "as they are published" or "as it is in the cache".
  {
    pattern: /\bas (it is|they are)(?=\s*($|[^\s\w]|(and|or|but|now)\b))/i,
    advice: 'write "unchanged"',
  },
  {
    pattern: /\b((is|are|was|were|be|been) told(?! apart)|tells of|says of|told of)\b/i,
    advice: "name the actor and use an active verb",
  },
  { pattern: /\b(nobody|somebody|whoever|whom)\b/i, advice: "name the actor" },
  { pattern: /\b(nothing|something|anything) else than\b/i, advice: 'write "other than"' },
  {
    pattern:
      /(?<!-)\b(go(es)? on|stands? for|takes? back|lets? go|gets? to (it|them|him|the)|comes? of|in vain|in peace)\b/i,
    advice: "use a plain verb",
  },
  {
    pattern: /\b(lea(ve|ves|ving) (it|them) away|is there twice|the half of|already since)\b/i,
    advice: "write it as English does",
  },
];

/** A refused place. */
export interface Finding {
  /** The line, from 1. */
  readonly line: number;
  readonly text: string;
  readonly advice: string;
}

/** A stretch of prose: where it begins, and its text, of which the lines are kept. */
interface Prose {
  readonly line: number;
  readonly lines: readonly string[];
}

/** Returns the comments and the names of tests in TypeScript source. */
function proseOfSource(source: string): Prose[] {
  const found: Prose[] = [];
  const lines = source.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const doc = /^\s*\/\*\*?\s?(.*)$/.exec(line);
    if (doc !== null) {
      const first = index;
      const prose: string[] = [];
      let code = false;
      for (; index < lines.length; index++) {
        const text = lines[index]!.replace(/^\s*(\/\*\*?|\*(?!\/))?\s?/, "").replace(
          /\s*\*\/.*$/,
          "",
        );
        if (text.trim().startsWith("```")) {
          code = !code;
          prose.push("");
        } else prose.push(code ? "" : text);
        if (lines[index]!.includes("*/")) break;
      }
      found.push({ line: first + 1, lines: prose });
      continue;
    }
    if (/^\s*\/\/ ?(?!deno-|#)/.test(line)) {
      const first = index;
      const prose: string[] = [];
      for (; index < lines.length && /^\s*\/\//.test(lines[index]!); index++) {
        prose.push(lines[index]!.replace(/^\s*\/\/ ?/, ""));
      }
      index--;
      found.push({ line: first + 1, lines: prose });
      continue;
    }
    const trailing = /[;,{})\]] \/\/ (.+)$/.exec(line);
    if (trailing !== null) found.push({ line: index + 1, lines: [trailing[1]!] });
    const name =
      /(?:Deno\.test|slowTest|nightlyTest|testOn|\btest|\.step)\(\s*(?:\{\s*name:\s*)?(["'`])(.*?)\1/
        .exec(line) ??
        (/(?:Deno\.test|slowTest|nightlyTest|testOn|\btest|\.step)\(\s*(?:\{)?\s*$/.test(
            lines[index - 1] ?? "",
          )
          ? /^\s*(?:name:\s*)?(["'`])(.*?)\1/.exec(line)
          : null);
    if (name !== null) found.push({ line: index + 1, lines: [name[2]!] });
  }
  return found;
}

/** Returns the texts that components show: between marks, on lines of their own, and in attributes. */
function proseOfComponents(source: string): Prose[] {
  const found: Prose[] = [];
  for (const [index, line] of source.split("\n").entries()) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue;
    const between = [...line.matchAll(/>([^<>{}]+)</g)];
    const alone = [...line.matchAll(/^\s*([A-Za-z][^<>{}=;"]+)$/g)];
    const attributes = [...line.matchAll(/\b(?:label|caption|empty|placeholder|title)="([^"]+)"/g)];
    for (const [, text = ""] of [...between, ...alone, ...attributes]) {
      found.push({ line: index + 1, lines: [text] });
    }
  }
  return found;
}

/** Returns the paragraphs of a page in Markdown, without its code. */
function proseOfPage(page: string): Prose[] {
  const found: Prose[] = [];
  let code = false;
  for (const [index, line] of page.split("\n").entries()) {
    if (line.trim().startsWith("```")) code = !code;
    else if (!code) found.push({ line: index + 1, lines: [line.replace(/`[^`]*`/g, "``")] });
  }
  return found;
}

/** Returns what is refused in a file. */
export function refusedWords(path: string, content: string): Finding[] {
  const page = path.endsWith(".md");
  const findings: Finding[] = [];
  const prose = page ? proseOfPage(content) : proseOfSource(content);
  if (path.endsWith(".tsx")) prose.push(...proseOfComponents(content));
  for (const { line, lines } of prose) {
    const begin = lines.findIndex((text) => text.trim() !== "");
    for (const [index, raw] of lines.entries()) {
      const text = raw.replace(/`[^`]*`/g, "``");
      // A sentence often breaks over two lines, so each line is read with the first words of the next one.
      const next = (lines[index + 1] ?? "").split(" ").slice(0, 3).join(" ");
      const read = `${text} ${next}`;
      if (!page && index === begin) {
        for (const { pattern, advice } of BEGINNINGS) {
          if (pattern.test(text.trim())) {
            findings.push({ line: line + index, text: text.trim(), advice });
          }
        }
      }
      if (!page && /^@(param|returns|throws|typeParam) /.test(text.trim())) {
        const words = text.trim().replace(/^@(returns|throws \S+|(param|typeParam) \S+)\s*/, "");
        for (const { pattern, advice } of BEGINNINGS) {
          if (pattern.test(words)) findings.push({ line: line + index, text: text.trim(), advice });
        }
      }
      for (const { pattern, advice } of ANYWHERE) {
        const at = pattern.exec(read);
        if (at !== null && at.index <= text.length) {
          findings.push({ line: line + index, text: text.trim(), advice });
        }
      }
    }
  }
  return findings;
}

/** Folders that hold no prose of ours. */
const SKIPPED = /(^|\/)(dist|node_modules|generated|golden|transcripts|testdata|\.git)(\/|$)/;

/** Yields the files with prose below a path, in order. */
function* filesBelow(path: string): Generator<string> {
  if (SKIPPED.test(path)) return;
  if (Deno.statSync(path).isDirectory) {
    const names = [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
    for (const name of names) yield* filesBelow(path === "." ? name : `${path}/${name}`);
  } else if (/\.(tsx?|mjs|md)$/.test(path)) yield path;
}

/** Returns the refused places below the paths, one line each. */
export function checkWords(paths: readonly string[]): string[] {
  const lines: string[] = [];
  for (const path of paths) {
    for (const file of filesBelow(path)) {
      // The check's own sentences name the patterns.
      if (file.endsWith("checks/words.ts")) continue;
      for (const { line, text, advice } of refusedWords(file, Deno.readTextFileSync(file))) {
        lines.push(`${file}:${line}: ${advice}: ${text}`);
      }
    }
  }
  return lines;
}

if (import.meta.main) {
  const lines = checkWords(Deno.args.length > 0 ? Deno.args : ["."]);
  for (const line of lines) console.log(line);
  console.log(`${lines.length} sentences to rewrite`);
  if (lines.length > 0) Deno.exit(1);
}
