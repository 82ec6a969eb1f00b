import { mediaType, readBody, readBytes } from "./body.ts";
import type { Status } from "@kubeloop/controller/types";
import { badRequest, encodeJson, type JsonObject, type StructType } from "../../values/mod.ts";
import {
  decodeProtobuf,
  encodeProtobuf,
  type KindInfo,
  ProtobufError,
  readProtobuf,
  SCHEMAS,
  unrecognized,
} from "../schema/mod.ts";

/** The media type in which client-go sends and accepts objects of built-in kinds. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** The media type of watches in protobuf. */
export const PROTOBUF_STREAM: string = `${PROTOBUF};stream=watch`;

/** Encodes a Status, which is the same in all versions. */
export function encodeStatus(status: Status): Uint8Array<ArrayBuffer> {
  return encodeProtobuf(status as unknown as JsonObject, SCHEMAS.struct("meta.Status"));
}

const decoder = new TextDecoder();

/** Returns the text of an answer. That of an answer in protobuf is the JSON of the same object. */
export function answerText({ headers }: Response, body: Uint8Array): string {
  if (headers.get("content-type") !== PROTOBUF) return decoder.decode(body);
  return encodeJson(readProtobuf(body));
}

/**
 * Reads a body as text. A protobuf body becomes the JSON of the same object, which `schema` describes.
 *
 * @param kind The kind for the error; undefined if it names none.
 * @throws {ApiError} 400, if it is not valid protobuf; 413, if it is too long.
 */
export async function readObjectText(
  request: Request,
  schema: StructType,
  kind?: KindInfo,
): Promise<string> {
  if (mediaType(request) !== PROTOBUF) return await readBody(request);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return "";
  try {
    return encodeJson(decodeProtobuf(bytes, schema), undefined, { escapeHtml: false });
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw kind === undefined ? badRequest(error.message) : unrecognized(kind, error.message, bytes);
  }
}
