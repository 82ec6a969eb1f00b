import { oneLine, redactOf, safeLogger, visibleText } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";

/** The longest text of a server in an error, in characters. */
const MAX_LENGTH = 1_000;

/**
 * Returns a function that prepares text for an error message that comes from a server, such as a name: without the
 * credentials of the client, which a server may repeat, on one line, with invisible characters escaped, and cut.
 */
export function shownBy({ environment }: Client): (text: string) => string {
  const redact = redactOf(safeLogger(environment.logger));
  return (text) => visibleText(oneLine(redact(text)), MAX_LENGTH);
}
