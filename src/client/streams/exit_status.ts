import { isRecord, parseCount, parseJson } from "../../base/mod.ts";
import { readStatus, StatusError } from "../../types/mod.ts";
import { excerpt, type RequestLocation } from "../request/mod.ts";

/** The largest exit code: on Windows, they have 32 bits. */
const MAX_EXIT_CODE = 2 ** 32 - 1;

/**
 * Returns the exit code in the Status that a server sends at the end of a command.
 *
 * @throws {StatusError} If the command did not run to its end.
 * @throws {Error} If the text is not a Status.
 */
export function exitCodeOf(text: string, location: RequestLocation): number {
  const parsed = tryParse(text);
  if (!isRecord(parsed) || typeof parsed.status !== "string") {
    throw new Error(
      `${location.method} ${location.url} ended with ${
        excerpt(text, location.redact)
      }, expected a Status`,
    );
  }
  if (parsed.status === "Success") return 0;
  const details = isRecord(parsed.details) ? parsed.details : {};
  const causes: unknown[] = Array.isArray(details.causes) ? details.causes : [];
  for (const cause of causes) {
    if (!isRecord(cause) || cause.reason !== "ExitCode") continue;
    const code = parseCount(String(cause.message), MAX_EXIT_CODE);
    if (code !== undefined) return code;
  }
  throw new StatusError(readStatus(parsed, location.redact), location);
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
