import { PROTOBUF } from "../../src/testing/api_server/http/mod.ts";
import { readFrames, readProtobuf } from "../../src/testing/api_server/schema/mod.ts";
import { encodeJson } from "../../src/testing/values/mod.ts";

/**
 * Returns the body of an answer as text. Protobuf becomes the JSON of the same answer, with one line for each event of a
 * watch.
 */
export function bodyText(contentType: string | null, bytes: Uint8Array): string {
  if (!contentType?.startsWith(PROTOBUF)) return new TextDecoder().decode(bytes);
  if (!contentType.includes("stream=watch")) return `${encodeJson(readProtobuf(bytes))}\n`;
  return readFrames(bytes).map((event) => `${encodeJson({ ...event })}\n`).join("");
}
