import { mediaType, readBody, readBytes } from "./body.ts";
import { badRequest, type StructType } from "../values/mod.ts";
import { decodeProtobuf, ProtobufError } from "../schema/mod.ts";

/** The media type in which client-go sends the built-in kinds. Answers are always JSON, which every client takes. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/**
 * Reads a body as text; one in protobuf as the JSON that says the same of an object of `schema`.
 *
 * @throws {ApiError} 400, when it is not protobuf; 413, when it is too long.
 */
export async function readObjectText(request: Request, schema: StructType): Promise<string> {
  if (mediaType(request) !== PROTOBUF) return await readBody(request);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return "";
  try {
    return JSON.stringify(decodeProtobuf(bytes, schema));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw badRequest(`the object provided is unrecognized: ${error.message}`);
  }
}
