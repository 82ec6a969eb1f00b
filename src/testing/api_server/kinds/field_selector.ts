import type { KubeObject } from "@kubeloop/controller/types";
import { badRequest } from "../values/mod.ts";
import { fieldLabelsOf } from "./field_labels.ts";
import type { KindInfo } from "../schema/mod.ts";

/** Which fields an object must have. */
export interface FieldSelector {
  /** Whether everything matches. */
  readonly isEmpty: boolean;
  /** Whether `object` matches. */
  matches(object: KubeObject): boolean;
  /** The value that `field` must have; undefined when any will do. */
  exact(field: string): string | undefined;
}

interface Term {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

/**
 * Parses the `fieldSelector` of a request, as in `metadata.name=a,status.phase!=Running`.
 *
 * @throws {ApiError} 400 when it cannot be understood, or names a field that objects of this kind are not selected by.
 */
export function parseFieldSelector(text: string, kind: KindInfo): FieldSelector {
  const terms = parseTerms(text);
  const labels = fieldLabelsOf(kind);
  const known = terms.map((term) => ({ ...term, read: labels.reader(term.field) }));
  return {
    isEmpty: terms.length === 0,
    matches: (object) =>
      known.every(({ value, equal, read }) => (read(object) === value) === equal),
    exact: (field) => terms.find((term) => term.equal && term.field === field)?.value,
  };
}

/**
 * Checks that `text` can be read as a field selector, whatever fields it names.
 *
 * @throws {ApiError} 400 when it cannot.
 */
export function checkFieldSelector(text: string): void {
  parseTerms(text);
}

/** The terms of a selector. One that says nothing, as in `=`, is none. */
function parseTerms(text: string): Term[] {
  return splitTerms(text).sort().filter((term) => term !== "").map((term) => parseTerm(text, term))
    .filter(({ field, value }) => field !== "" || value !== "");
}

/** Commas separate terms, unless a backslash precedes them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(selector: string, term: string): Term {
  const parts = /^(.*?)(!=|==|=)([^]*)$/s.exec(term);
  if (parts === null) {
    throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  }
  return { field: parts[1]!, value: unescapeValue(parts[3]!), equal: parts[2] !== "!=" };
}

function unescapeValue(text: string): string {
  let result = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      const next = text[++at] ?? "";
      if (!["\\", ",", "="].includes(next)) {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`);
      }
      result += next;
    } else if (char === "," || char === "=") {
      throw badRequest(
        `invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`,
      );
    } else {
      result += char;
    }
  }
  return result;
}
