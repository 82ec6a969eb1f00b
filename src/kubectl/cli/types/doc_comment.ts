import { visibleText } from "@kubeloop/controller/internal/base";

const WIDTH = 80;
const MAX_LINE = 10_000;

/**
 * Returns the lines of a doc comment, indented by `indent` and wrapped; no lines without text.
 *
 * Paragraphs are wrapped. Lists, tables and code keep their lines. The text is escaped so that it does not end the comment or
 * become a tag or a directive.
 */
export function docComment(
  text: string | undefined,
  indent = "",
  tags: readonly string[] = [],
): string[] {
  const lines = [...bodyLines(text ?? "", WIDTH - indent.length - 3)];
  for (const tag of tags) {
    if (lines.length > 0) lines.push("");
    const [first = "", ...rest] = bodyLines(tag, WIDTH - indent.length - 3);
    lines.push(`@${first}`, ...rest);
  }
  const [only = ""] = lines;
  if (lines.length === 0) return [];
  if (lines.length === 1 && indent.length + only.length + 7 <= WIDTH) {
    return [`${indent}/** ${only} */`];
  }
  return [
    `${indent}/**`,
    ...lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}`),
    `${indent} */`,
  ];
}

function bodyLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const endParagraph = () => {
    lines.push(...fill(paragraph.join(" "), width));
    paragraph = [];
  };
  for (const raw of text.split("\n")) {
    const line = harmless(raw);
    const isFence = line.trimStart().startsWith("```");
    if (isCode || isFence || isFixed(line)) {
      endParagraph();
      if (isCode || isFence) lines.push(line);
      else lines.push(...fill(line, width));
      if (isFence) isCode = !isCode;
    } else if (line === "") {
      endParagraph();
      if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
    } else {
      paragraph.push(line);
    }
  }
  endParagraph();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Escapes invisible characters, and the parts of a line that would end the comment or begin a tag. */
function harmless(line: string): string {
  // The linter only allows plain spaces.
  const plain = line.replaceAll("\t", "  ").replace(/\s/g, " ").trimEnd();
  const text = visibleText(plain, MAX_LINE);
  const start = text.length - text.trimStart().length;
  const escaped = text.charAt(start) === "@"
    ? `${text.slice(0, start)}\\${text.slice(start)}`
    : text;
  return escaped.replaceAll("*/", "*\\/");
}

/** Reports whether a line must not be joined with others: part of a list or a table, a heading, or indented. */
function isFixed(line: string): boolean {
  return /^(?:\s|[-*+|#>] ?|\d{1,3}[.)] )/.test(line);
}

/** Breaks a line at blanks. Further lines of a list item are indented like its text. */
function fill(text: string, width: number): string[] {
  if (text === "") return [];
  const prefix = /^\s{0,40}(?:[-*+] |\d{1,3}[.)] )?/.exec(text)?.[0] ?? "";
  const hanging = " ".repeat(prefix.length);
  const lines: string[] = [];
  let line = prefix;
  let isEmpty = true;
  for (const word of text.slice(prefix.length).split(" ").filter((one) => one !== "")) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      // A word at the start of a line must not become a tag.
      line = hanging + (word.startsWith("@") ? "\\" : "") + word;
    } else {
      line += (isEmpty ? "" : " ") + word;
    }
    isEmpty = false;
  }
  lines.push(line.trimEnd());
  return lines;
}
