import { splitUnescaped } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { ApiError, badRequest } from "../../values/mod.ts";
import { recordOf } from "./record_of.ts";
import type { KindInfo } from "../schema/mod.ts";

/** A parsed field selector. */
export interface FieldSelector {
  /** Whether the selector has no terms, so that every object matches. */
  readonly isEmpty: boolean;
  /** Reports whether `object` matches. */
  matches(object: KubeObject): boolean;
}

interface Term {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

/**
 * Parses the `fieldSelector` of a request, as in `metadata.name=a,status.phase!=Running`.
 *
 * @throws {ApiError} 400, if the text is not a valid field selector or names a field label that the kind does not
 * support.
 */
export function parseFieldSelector(text: string, kind: KindInfo): FieldSelector {
  const terms = parseTerms(text);
  const { fieldLabels } = recordOf(kind);
  const known = terms.map((term) => ({ ...term, read: fieldLabels.reader(term.field) }));
  return {
    isEmpty: terms.length === 0,
    matches: (object) =>
      known.every(({ value, equal, read }) => (read(object) === value) === equal),
  };
}

/**
 * Checks the syntax of a field selector, but not whether the kind supports its field labels.
 *
 * @throws {ApiError} 400, if the text is not a valid field selector.
 */
export function checkFieldSelector(text: string): void {
  parseTerms(text);
}

/** Returns the value that a field selector requires of `field`; undefined if it requires none, or is invalid. */
export function requiredFieldValue(text: string, field: string): string | undefined {
  try {
    return parseTerms(text).find((term) => term.field === field && term.equal)?.value;
  } catch (error) {
    if (ApiError.is(error)) return undefined;
    throw error;
  }
}

/** Parses the terms of a selector. Drops terms with an empty field and an empty value, as in `=`. */
function parseTerms(text: string): Term[] {
  return splitUnescaped(text).sort().filter((term) => term !== "").map((term) =>
    parseTerm(text, term)
  )
    .filter(({ field, value }) => field !== "" || value !== "");
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
