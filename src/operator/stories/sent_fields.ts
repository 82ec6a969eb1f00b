import { parseJson, type Redact, stringifyJson, visibleText } from "../../base/mod.ts";
import { maskedValue, mayHoldCredentials, sentPaths } from "../../fields/mod.ts";
import type { SentFields } from "./story.ts";

/** The maximum number of listed fields of one request. */
const MAX_FIELDS = 16;
/** The maximum length of a body that is read, and of the values that are kept, in characters. */
const MAX_BODY_LENGTH = 65_536;
const MAX_VALUES_LENGTH = 4_096;

/** How the fields of a body are kept. */
export interface SentFieldsOptions {
  /** Replaces the credentials of the client. */
  readonly redact: Redact;
  /** Whether values are kept. */
  readonly keepsValues: boolean;
}

/**
 * Returns the fields of the body of a write; undefined if it may hold credentials, or cannot be read.
 *
 * @param body The body, as JSON text.
 * @param path The path of the request.
 */
export function sentFields(
  body: string,
  path: string,
  { keepsValues, redact }: SentFieldsOptions,
): SentFields | undefined {
  if (body.length > MAX_BODY_LENGTH || mayHoldCredentials(path)) return undefined;
  try {
    const value = parseJson(body);
    const { more, paths } = sentPaths(value, MAX_FIELDS);
    const values = keepsValues ? valuesOf(value, redact) : undefined;
    return {
      fields: paths.map((one) => visibleText(one, MAX_BODY_LENGTH)),
      ...(more > 0 && { moreFields: more }),
      ...(values !== undefined && { values }),
    };
  } catch {
    return undefined;
  }
}

/** Returns the masked values; undefined if they are long. */
function valuesOf(body: unknown, redact: Redact): unknown {
  const text = redact(stringifyJson(maskedValue(body, "")));
  return text.length > MAX_VALUES_LENGTH ? undefined : parseJson(text);
}
