import {
  getString,
  type Json,
  type JsonNotes,
  NO_NOTES,
  parseJson,
  quote,
} from "../../values/mod.ts";
import { YamlError, yamlToJson } from "../yaml/mod.ts";

/** The number of characters of an unexpected answer that an error shows. */
const MAX_SHOWN = 2048;

/** The messages for some HTTP statuses, as the client of the real server words them. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504:
    "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** The statuses whose message is the text of the answer. */
const SPEAKS: ReadonlySet<number> = new Set([403, 406, 415]);

/** The failure of a call to a webhook: it did not answer, or not with what was asked. The message is the reason. */
export class WebhookCallError extends Error {
  /** Always `WebhookCallError`. */
  override readonly name: string = "WebhookCallError";
}

/** The JSON of a webhook's answer. */
export interface WebhookAnswer {
  readonly value: Json;
  /** The notes of the parser. */
  readonly notes: JsonNotes;
}

/**
 * Returns the JSON of a webhook's answer, which may be YAML.
 *
 * @throws {WebhookCallError} If the status is not one of success, or the text is neither JSON nor YAML.
 */
export function readAnswer(status: number, type: string, text: string): WebhookAnswer {
  if (status < 200 || status > 206) throw new WebhookCallError(messageOf(status, type, text));
  if (text === "") {
    throw new WebhookCallError(
      `0-length response with status code: ${status} and content type: ${
        type || "application/json"
      }`,
    );
  }
  try {
    if (!/^\s*\{/.test(text)) return { value: yamlToJson(text).value, notes: NO_NOTES };
    const { value, ...notes } = parseJson(text, true);
    return { value, notes };
  } catch (error) {
    const { message } = error as Error;
    throw new WebhookCallError(
      error instanceof YamlError
        ? message
        : `couldn't get version/kind; json parse error: ${message}`,
    );
  }
}

function messageOf(status: number, type: string, text: string): string {
  const named = statusMessage(text);
  if (named !== undefined) return named;
  const readable = type === "" || type.startsWith("text/");
  const said = readable ? text.slice(0, MAX_SHOWN).trim() : "unknown";
  if (SPEAKS.has(status)) return said;
  if (Object.hasOwn(MESSAGES, status)) return MESSAGES[status]!;
  return status >= 500
    ? `an error on the server (${quote(said)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

/** Returns the message of an answer that is a Status. */
function statusMessage(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const { value } = parseJson(text, false);
    return getString(value, "kind") === "Status" ? getString(value, "message") : undefined;
  } catch {
    return undefined;
  }
}
