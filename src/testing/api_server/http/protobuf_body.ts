import { mediaType, readBody, readBytes } from "./body.ts";
import { badRequest, encodeJson, type StructType } from "../../values/mod.ts";
import { decodeProtobuf, ProtobufError } from "../schema/mod.ts";

/** The media type in which client-go sends and accepts objects of built-in kinds. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/**
 * Reads a body as text. A protobuf body becomes the JSON of the same object, which `schema` describes.
 *
 * @throws {ApiError} 400, if it is not valid protobuf; 413, if it is too long.
 */
export async function readObjectText(request: Request, schema: StructType): Promise<string> {
  if (mediaType(request) !== PROTOBUF) return await readBody(request);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return "";
  try {
    return encodeJson(decodeProtobuf(bytes, schema), undefined, { escapeHtml: false });
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw badRequest(`the object provided is unrecognized: ${error.message}`);
  }
}
