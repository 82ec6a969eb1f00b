import {
  type ApiError,
  encodeJson,
  failure,
  internalError,
  type JsonObject,
  readJson,
} from "../../values/mod.ts";
import {
  type ResourceInfo,
  SCALE_TABLE,
  toPartialObjectMetadata,
  toPartialObjectMetadataList,
  toTable,
} from "../kinds/mod.ts";
import type { KubeObject, ListMeta } from "@kubeloop/controller/types";
import type { Representation } from "../http/mod.ts";
import { encodeList, encodeMessage, schemasOf } from "../schema/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { SCALE } from "./subresource_kinds.ts";

/**
 * Returns the text of one object in the requested view.
 *
 * @throws {ApiError} 406, if the view is one of a list.
 */
export function objectView(
  resource: ResourceInfo,
  text: string,
  representation: Representation,
  nowMs: number,
): string {
  switch (representation.as) {
    case "Object":
      return text;
    case "PartialObjectMetadata":
      return inVersion(
        encodeJson(toPartialObjectMetadata(resource.kind, readJson<KubeObject>(text))),
        representation,
      );
    case "PartialObjectMetadataList":
      if (resource.custom) throw internalError("content is not a list");
      throw wrongView("PartialObjectMetadataList", internalName(resource), false);
    case "Table": {
      const object = readJson<KubeObject>(text);
      const { resourceVersion } = object.metadata;
      const listMeta = resourceVersion === undefined ? {} : { resourceVersion };
      const { includeObject } = representation;
      const scale = object.kind === SCALE.kind && resource.kind.kind !== SCALE.kind;
      const kind = resource.custom && scale ? SCALE : resource.kind;
      const table = toTable(kind, [object], {
        nowMs,
        includeObject,
        listMeta,
        ...(scale && !resource.custom ? { table: SCALE_TABLE } : {}),
      });
      return inVersion(encodeJson(table), representation);
    }
  }
}

/** Returns the text of a view in the requested version. The versions differ only in their name. */
export function inVersion(text: string, { viewVersion }: Representation): string {
  if (viewVersion === "v1") return text;
  const apiVersion = `"apiVersion":"meta.k8s.io/${viewVersion}"`;
  return text.replaceAll('"apiVersion":"meta.k8s.io/v1"', apiVersion);
}

/**
 * Returns the answer with a list in the requested view.
 *
 * @throws {ApiError} 406, if the view is one of a single object.
 */
export function listAnswer(
  { representation, resource, server }: ResourceExchange,
  objects: readonly StoredObject[],
  listMeta: ListMeta,
): Answer {
  if (representation.format === "protobuf" && representation.as === "Object") {
    const { definition: { listKind: kind }, apiVersion } = resource;
    const schema = schemasOf(server.registry.release.minor).struct("meta.ListMeta");
    const metadata = encodeMessage(listMeta as JsonObject, schema);
    const items = objects.map((object) => resource.message(object, true));
    const body = encodeList({ apiVersion, kind }, metadata, items);
    return { type: "protobuf", code: 200, body };
  }
  const text = listView(resource, objects, listMeta, representation, server.clock.wallNow());
  return { type: "final", code: 200, text };
}

function listView(
  resource: ResourceInfo,
  objects: readonly StoredObject[],
  listMeta: ListMeta,
  representation: Representation,
  nowMs: number,
): string {
  switch (representation.as) {
    case "Object":
      return listText(resource, objects, listMeta);
    case "PartialObjectMetadata":
      throw wrongView("PartialObjectMetadata", `${internalName(resource)}List`, true);
    case "PartialObjectMetadataList": {
      const values = objects.map((object) => resource.read(object));
      return inVersion(
        encodeJson(toPartialObjectMetadataList(resource.kind, values, listMeta)),
        representation,
      );
    }
    case "Table": {
      const values = objects.map((object) => resource.read(object));
      const table = tableOf(resource, values, listMeta, representation, nowMs);
      return inVersion(encodeJson(table), representation);
    }
  }
}

/** Returns a Table of `objects`. */
export function tableOf(
  resource: ResourceInfo,
  objects: readonly KubeObject[],
  listMeta: ListMeta,
  representation: Representation,
  nowMs: number,
  omitColumns = false,
): JsonObject {
  const { includeObject } = representation;
  return toTable(resource.kind, objects, { nowMs, includeObject, listMeta, omitColumns });
}

function listText(
  resource: ResourceInfo,
  objects: readonly StoredObject[],
  listMeta: ListMeta,
): string {
  const items = objects.map((object) => resource.itemText(object)).join(",");
  const kind = JSON.stringify(resource.definition.listKind);
  const apiVersion = JSON.stringify(resource.apiVersion);
  if (resource.custom) {
    const sorted = {
      continue: listMeta.continue ?? "",
      remainingItemCount: listMeta.remainingItemCount,
      resourceVersion: listMeta.resourceVersion,
    };
    return `{"apiVersion":${apiVersion},"items":[${items}],"kind":${kind},"metadata":${
      JSON.stringify(sorted)
    }}`;
  }
  const metadata = JSON.stringify(listMeta);
  return `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${metadata},"items":[${items}]}`;
}

/** Returns the name of the Go type, as the API server's messages show it. */
function internalName(resource: ResourceInfo): string {
  if (resource.custom) return "*unstructured.Unstructured";
  const name = resource.group === "" ? "core" : resource.group.split(".")[0];
  return `*${name}.${resource.kind.kind}`;
}

function wrongView(asked: string, found: string, isList: boolean): ApiError {
  const message = isList
    ? `you requested ${asked}, but the requested object is a list (${found})`
    : `you requested ${asked}, but the requested object is not a list (${found})`;
  return failure(406, message, { reason: "NotAcceptable" });
}
