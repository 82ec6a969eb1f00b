import type { KubeObject } from "@kubeloop/controller/types";
import { type LiveEntry, type LogEntry, StoredObject } from "../storage/mod.ts";
import type { ResourceExchange, ServerContext } from "./exchange.ts";
import type { Representation } from "../http/mod.ts";
import { type ApiError, encodeJson, type Json, readJson } from "../../values/mod.ts";
import { envelope, watchFrame } from "../schema/mod.ts";
import { type ResourceInfo, toPartialObjectMetadata } from "../kinds/mod.ts";
import { protobufOf } from "./protobuf_answer.ts";
import { NumberedLine } from "./numbered_line.ts";
import { inVersion, tableOf } from "./views.ts";

const encoder = new TextEncoder();

/**
 * The bookmarks without annotations, by their representation and the number of digits of their revision. Idle watches send
 * nothing else, and nothing but the digits changes.
 */
const bookmarks = new WeakMap<ResourceInfo, Map<string, NumberedLine>>();

/** Encodes the events of one watch: lines of JSON, or frames of protobuf. */
export class WatchEncoder {
  readonly #server: ServerContext;
  readonly #resource: ResourceInfo;
  readonly #representation: Representation;
  /** The representation, as a key: watches with the same key share lines. */
  readonly #shareKey: string;
  /** Whether the columns of a Table have been sent. Only the first event carries them. */
  #columnsSent = false;

  /** Creates an encoder for the representation that the request asks for. */
  constructor({ resource, representation, server }: ResourceExchange) {
    this.#server = server;
    this.#resource = resource;
    this.#representation = representation;
    const { as, format, viewVersion } = representation;
    this.#shareKey = `${resource.apiVersion} ${format} ${as} ${viewVersion}`;
  }

  /** Returns the line for a write. Watches with the same representation get the same bytes. */
  shared(entry: LiveEntry, type: LogEntry["type"]): Uint8Array {
    // Lines of a Table cannot be shared: rows contain the age, and columns come only once.
    if (this.#representation.as === "Table") return this.event(type, this.#subject(entry, type));
    const key = `${type} ${this.#shareKey}`;
    let line = entry.lines.get(key);
    if (line === undefined) {
      // The line is shared, so the message need not be kept in the log.
      line = this.#event(type, this.#subject(entry, type), false);
      entry.lines.set(key, line);
    }
    return line;
  }

  /** Returns the line for one object. */
  event(type: LogEntry["type"], object: StoredObject): Uint8Array {
    return this.#event(type, object, true);
  }

  #event(type: LogEntry["type"], object: StoredObject, keep: boolean): Uint8Array {
    const { as, format } = this.#representation;
    if (format === "protobuf" && as === "Object") {
      const { apiVersion, kind: { kind } } = this.#resource;
      return watchFrame(type, envelope({ apiVersion, kind }, this.#resource.message(object, keep)));
    }
    return this.#line(type, this.#view(this.#resource.text(object)));
  }

  /** Returns the line of a failure. */
  error({ status }: ApiError): Uint8Array {
    return this.#line("ERROR", encodeJson(status as Json));
  }

  /** Returns the line of a bookmark. */
  bookmark(revision: number, annotations?: Record<string, string>): Uint8Array {
    const resourceVersion = String(revision);
    if (annotations !== undefined || this.#representation.as === "Table") {
      return this.#bookmark({ resourceVersion, ...(annotations && { annotations }) });
    }
    let numbered = bookmarks.get(this.#resource);
    if (numbered === undefined) bookmarks.set(this.#resource, numbered = new Map());
    const key = `${resourceVersion.length} ${this.#shareKey}`;
    let line = numbered.get(key);
    if (line === undefined) {
      line = new NumberedLine(
        resourceVersion.length,
        (text) => this.#bookmark({ resourceVersion: text }),
      );
      numbered.set(key, line);
    }
    return line.with(resourceVersion);
  }

  #bookmark(metadata: KubeObject["metadata"]): Uint8Array {
    const { kind: { kind }, apiVersion } = this.#resource;
    const object: KubeObject = { kind, apiVersion, metadata };
    if (this.#representation.as === "Object") {
      return this.#line("BOOKMARK", this.#resource.encodeBookmark(object));
    }
    return this.#line("BOOKMARK", this.#view(JSON.stringify(object)));
  }

  /**
   * Returns the object of a line. For a write that makes a watch send DELETED although the object still exists, that is
   * the object before the write, with the revision of the write.
   */
  #subject(entry: LiveEntry, type: LogEntry["type"]): StoredObject {
    if (type !== "DELETED" || entry.type === "DELETED") return entry.object;
    const last = entry.previous!.parse();
    last.metadata.resourceVersion = String(entry.revision);
    const copy = new StoredObject(last, entry.revision, this.#resource.encodeStored(last));
    this.#resource.keepCopy(copy, entry.previous!);
    return copy;
  }

  #view(text: string): string {
    switch (this.#representation.as) {
      case "Object":
        return text;
      case "Table": {
        const object = readJson<KubeObject>(text);
        const listMeta = { resourceVersion: object.metadata.resourceVersion ?? "" };
        const omitColumns = this.#columnsSent;
        this.#columnsSent = true;
        const table = tableOf(
          this.#resource,
          [object],
          listMeta,
          this.#representation,
          this.#server.clock.wallNow(),
          omitColumns,
        );
        return inVersion(encodeJson(table), this.#representation);
      }
      default:
        return inVersion(
          encodeJson(toPartialObjectMetadata(this.#resource.kind, readJson<KubeObject>(text))),
          this.#representation,
        );
    }
  }

  #line(type: string, objectText: string): Uint8Array {
    if (this.#representation.format === "protobuf") {
      return watchFrame(type, protobufOf(objectText, this.#server));
    }
    return encoder.encode(`{"type":"${type}","object":${objectText}}\n`);
  }
}
