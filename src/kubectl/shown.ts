import { oneLine, redactOf, safeLogger, visibleText } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";

/** The maximum length of a text of the server in an error, in characters. */
const MAX_LENGTH = 1_000;

/**
 * Returns a function that prepares text from a server, such as a name, for an error message: it hides the credentials of the
 * client, escapes line breaks and invisible characters, and limits the length.
 */
export function shownBy({ environment }: Client): (text: string) => string {
  const redact = redactOf(safeLogger(environment.logger));
  return (text) => visibleText(oneLine(redact(text)), MAX_LENGTH);
}
