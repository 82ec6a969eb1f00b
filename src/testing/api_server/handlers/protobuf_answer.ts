import { answerSchema, encodeProtobuf, schemasOf } from "../schema/mod.ts";
import { type JsonObject, readJson } from "../../values/mod.ts";
import type { ServerContext } from "./exchange.ts";

/** Returns the protobuf of an answer that is JSON. */
export function protobufOf(text: string, { registry }: ServerContext): Uint8Array<ArrayBuffer> {
  const object = readJson<JsonObject & { apiVersion: string; kind: string }>(text);
  const schema = answerSchema(schemasOf(registry.release.minor), object.apiVersion, object.kind);
  return encodeProtobuf(object, schema);
}
