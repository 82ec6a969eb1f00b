import { visibleText } from "@kubeloop/controller/internal/base";

/** The maximum length of a text of a definition, in characters. */
const MAX_TEXT = 4000;

/** Characters that HTML, tables or expressions of MDX begin with. */
const ENTITIES = /[&<>|{}]/g;

/** Returns text as it is shown, in one line of Markdown: nothing in it has a meaning. */
export function escaped(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]~]/g, "\\$&")
    .replace(ENTITIES, entity)
    // The beginnings of headings, lists and lines below headings.
    .replace(/^[-+=#]/, "\\$&")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}

/** Returns text in the type of code, in one line of Markdown, which may be in a table. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line !== "" && line.trim() === line && !/[`|]/.test(line)) return `\`${line}\``;
  return `<code>${line.replace(/[^\w .,:/-]/g, entity)}</code>`;
}

/** Returns lines of text as a block of code. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}

/** Returns the rows of a table. The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function oneLine(text: string): string {
  return visibleText(text.trim().replace(/\s+/g, " "), MAX_TEXT);
}

function entity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
