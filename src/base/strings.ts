/** Returns `text` on one line: line breaks, and the blanks around them, become one space. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

/** Returns a host name or an IP address for use before a port: IPv6 addresses get brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Escapes a value for a field selector, so that it ends where {@linkcode splitUnescaped} ends it. */
export function escapeTerm(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

/** Splits a selector at its commas, except at commas after a backslash. */
export function splitUnescaped(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/**
 * Returns `text` without the repetitions of `character` at its end. An expression such as `/=+$/` takes quadratic time
 * for a text that repeats the character somewhere else.
 */
export function stripEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
