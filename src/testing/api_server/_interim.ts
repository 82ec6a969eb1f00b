import type { KubeObject } from "../../types/mod.ts";
import { type Json, type JsonObject, type KindInfo, notImplemented } from "./pure/mod.ts";

export function toTable(_kind: KindInfo, _objects: readonly KubeObject[], _o: object): JsonObject {
  throw notImplemented("This server does not serve tables yet");
}
export function toPartialObjectMetadata(o: KubeObject): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: o.metadata as unknown as Json,
  };
}
export function toPartialObjectMetadataList(
  objects: readonly KubeObject[],
  metadata: object,
): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: metadata as unknown as Json,
    items: objects.map(toPartialObjectMetadata),
  };
}
