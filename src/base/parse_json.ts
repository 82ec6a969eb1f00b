/**
 * `JSON.parse` for answers of a server, without a bug of V8.
 *
 * V8 expects the keys of an object in the order in which it has seen them before, and compares the expected key with
 * the text of the next one before it decodes the escapes in it. So once an object had the key `\`, the key `"\u003c"`
 * (a `<`) of a later object of the same shape is read as `\`: whoever can create one custom resource can change the
 * keys of another one, in the caches of every controller that sees both. The keys of managed fields, such as
 * `k:{"name":"a"}`, have escapes too.
 *
 * Found in Deno 2.9.6 (V8 15.0) and Node 24.21, not in Node 22 nor in Bun. Only keys with a backslash can do it, so in
 * engines that have the bug, those are replaced before the text is parsed, and put back afterwards. Parsing in the
 * program's own code can still teach V8 such a key.
 *
 * @module
 */

/** What stands for a backslash in a key while the text is parsed. Another one is taken if the text contains it. */
const STAND_INS = 0xe000;

/** Whether this engine takes one key for another. The test uses a shape that no other object has. */
const isWrongAboutKeys = ((): boolean => {
  JSON.parse(String.raw`{"kubeloop parse_json":1,"\\":1}`);
  const parsed: object = JSON.parse(String.raw`{"kubeloop parse_json":1,"\u003c":1}`);
  return !Object.hasOwn(parsed, "<");
})();

/**
 * Parses JSON like `JSON.parse`.
 *
 * @throws {SyntaxError} If `text` is not JSON. The message may quote the text.
 */
export function parseJson(text: string): unknown {
  const escapes = isWrongAboutKeys ? keyEscapes(text) : [];
  if (escapes.length === 0) return JSON.parse(text);
  let code = STAND_INS;
  while (hasCharacter(text, code)) code++;
  const standIn = String.fromCharCode(code);
  const pieces: string[] = [];
  let end = 0;
  for (const { at, length } of escapes) {
    pieces.push(text.slice(end, at), standIn);
    end = at + length;
  }
  pieces.push(text.slice(end));
  return withBackslashes(JSON.parse(pieces.join("")), standIn);
}

function hasCharacter(text: string, code: number): boolean {
  const escape = `\\u${code.toString(16)}`;
  return text.includes(String.fromCharCode(code)) || text.toLowerCase().includes(escape);
}

/** The place of an escaped backslash, `\\` or `\u005c`. */
interface Escape {
  readonly at: number;
  readonly length: number;
}

const ESCAPED_BACKSLASHES = ["\\\\", "\\u005c", "\\u005C"];

/** Returns the escaped backslashes in the keys of JSON. Most texts have none at all, which costs three searches. */
function keyEscapes(text: string): Escape[] {
  const found: Escape[] = [];
  if (!ESCAPED_BACKSLASHES.some((escape) => text.includes(escape))) return found;
  const escapes = /\\(?:\\|u005c)/gi;
  for (let match; (match = escapes.exec(text)) !== null;) {
    const inString: Escape[] = [];
    const end = stringEnd(text, match.index, inString);
    if (isKeyEnd(text, end)) { for (const escape of inString) found.push(escape); }
    escapes.lastIndex = end;
  }
  return found;
}

/**
 * Returns the position of the quote that ends the string around `at`, and adds the escaped backslashes before it to
 * `escapes`. The first backslash of a row begins an escape, so it does not matter that the string begins before `at`.
 */
function stringEnd(text: string, at: number, escapes: Escape[]): number {
  while (at < text.length && text[at] !== '"') {
    if (text[at] !== "\\") at++;
    else if (text[at + 1] === "u") {
      if (/^005c$/i.test(text.slice(at + 2, at + 6))) escapes.push({ at, length: 6 });
      at += 6;
    } else {
      if (text[at + 1] === "\\") escapes.push({ at, length: 2 });
      at += 2;
    }
  }
  return at;
}

/** Reports whether a colon follows the quote at `at`. */
function isKeyEnd(text: string, at: number): boolean {
  let next = at + 1;
  while (text[next] === " " || text[next] === "\n" || text[next] === "\r" || text[next] === "\t") {
    next++;
  }
  return text[next] === ":";
}

/** Puts the backslashes back into the keys of a parsed value, however deep it is. */
function withBackslashes(value: unknown, standIn: string): unknown {
  const root = { value };
  const rest: object[] = [root];
  for (let object; (object = rest.pop()) !== undefined;) {
    const keys = Object.keys(object);
    const isRenamed = keys.some((key) => key.includes(standIn));
    for (const key of keys) {
      const member = (object as Record<string, unknown>)[key];
      if (typeof member === "object" && member !== null) rest.push(member);
      if (!isRenamed) continue;
      // Every key is deleted and set again, in order, so that the order stays that of the text.
      delete (object as Record<string, unknown>)[key];
      Object.defineProperty(object, key.replaceAll(standIn, "\\"), {
        value: member,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
  return root.value;
}
