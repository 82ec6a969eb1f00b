/** The column after which a line ends at the next single space. */
const WIDTH = 80;

/** Texts that a YAML 1.1 parser does not read as strings. */
const AMBIGUOUS =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?0[xob][0-9a-f_]+|[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9_]+)(e[-+]?[0-9]+)?|[-+]?\.(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?)$/i;

/** Numbers with the base 60, which older parsers know. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/;

/** Starts and parts of texts that have a meaning in YAML. */
const INDICATOR =
  /^[#,[\]{}&*!|>'"%@`]|^[-?:](?=[ \t]|$)|^(---|\.\.\.)|:(?=[ \t]|$)|[ \t\r\n\x85\u2028\u2029]#/;

/** Matches characters that are written only as escapes in double quotes, such as all characters of four bytes. */
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

const BREAK = /[\n\x85\u2028\u2029]/;
const AT_EDGE = /^[ \n\x85\u2028\u2029]|[ \n\x85\u2028\u2029]$/;
const BREAK_AND_SPACE = /[\n\x85\u2028\u2029] /;
const SPACE_AND_BREAK = / [\n\x85\u2028\u2029]/;

/** The escapes with a letter. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\xa0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

/** The place where a text is written. */
export interface ScalarPlace {
  /** The column at which the text begins. */
  readonly column: number;
  /** The indentation of further lines; undefined for a key, which must be on one line. */
  readonly indent: string | undefined;
}

/** Writes a text in the style that it needs: plain, in quotes, or as a literal block. Long texts are folded. */
export function yamlScalar(text: string, place: ScalarPlace): string {
  const isSpecial = UNPRINTABLE.test(text) || SPACE_AND_BREAK.test(text);
  if (text.includes("\n")) {
    const isBlock = place.indent !== undefined && !isSpecial && !text.endsWith(" ");
    return isBlock ? literal(text, place.indent) : doubleQuoted(text, place);
  }
  if (AMBIGUOUS.test(text) || BASE_60.test(text)) return doubleQuoted(text, place);
  const breaks = BREAK.test(text);
  if (isSpecial || BREAK_AND_SPACE.test(text) || (breaks && place.indent === undefined)) {
    return doubleQuoted(text, place);
  }
  const isPlain = !breaks && !AT_EDGE.test(text) && !INDICATOR.test(text);
  if (isPlain) return folded(text, place);
  return `'${folded(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, 1)}'`;
}

function literal(text: string, indent: string): string {
  const hint = /^[ \n\x85\u2028\u2029]/.test(text) ? "2" : "";
  const isEnded = text.endsWith("\n");
  const chomp = !isEnded ? "-" : text === "\n" || BREAK.test(text.at(-2)!) ? "+" : "";
  const lines = text.split("\n").map((line) => line === "" ? "" : indent + broken(line, indent));
  return [`|${hint}${chomp}`, ...(isEnded ? lines.slice(0, -1) : lines)].join("\n");
}

/** Indents the text after each line break other than a newline. */
function broken(text: string, indent: string): string {
  return text.replace(/([\x85\u2028\u2029])([^\x85\u2028\u2029])/g, `$1${indent}$2`);
}

/** Ends lines at single spaces after the width. The first and last `edge` characters are not replaced. */
function folded(text: string, { column, indent }: ScalarPlace, edge = 0): string {
  if (indent === undefined) return text;
  const chars = [...broken(text, indent)];
  let result = "";
  let at = column;
  chars.forEach((char, index) => {
    const isInside = edge === 0 || (index > 0 && index < chars.length - 1);
    const isSingle = char === " " && chars[index - 1] !== " " && chars[index + 1] !== " ";
    if (isSingle && at > WIDTH && isInside) {
      result += `\n${indent}`;
      at = indent.length;
      return;
    }
    result += char;
    at = BREAK.test(char) ? 0 : at + 1;
  });
  return result;
}

function doubleQuoted(text: string, { column, indent }: ScalarPlace): string {
  const chars = [...text];
  // The encoder takes a text that begins with a byte order mark for one without any other character.
  const escapesAll = chars[0] === "\ufeff";
  let result = '"';
  let at = column + 1;
  let spaces = false;
  chars.forEach((char, index) => {
    let written = char;
    if (escapesAll || UNPRINTABLE.test(char) || BREAK.test(char) || /["\\]/.test(char)) {
      written = `\\${ESCAPES[char] ?? numbered(char)}`;
      spaces = false;
    } else if (char === " ") {
      const isInside = index > 0 && index < chars.length - 1;
      if (indent !== undefined && !spaces && at > WIDTH && isInside) {
        written = `\n${indent}${chars[index + 1] === " " ? "\\" : ""}`;
        at = -1;
      }
      spaces = true;
    } else {
      spaces = false;
    }
    result += written;
    at = at < 0 ? written.length - 1 : at + written.length;
  });
  return `${result}"`;
}

/** Returns the escape of a character with its number. */
function numbered(char: string): string {
  const code = char.codePointAt(0)!;
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return letter + code.toString(16).toUpperCase().padStart(digits as number, "0");
}
