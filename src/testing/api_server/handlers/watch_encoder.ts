import type { KubeObject } from "@kubeloop/controller/types";
import { type LiveEntry, type LogEntry, StoredObject } from "../storage/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import type { Representation } from "../http/mod.ts";
import { encodeJson } from "../values/mod.ts";
import { type ResourceInfo, toPartialObjectMetadata } from "../kinds/mod.ts";
import { inVersion, tableOf } from "./views.ts";

const encoder = new TextEncoder();

/** Writes the lines of one watch. */
export class WatchEncoder {
  readonly #resource: ResourceInfo;
  readonly #representation: Representation;
  readonly #now: () => number;
  /** Which watches can share lines. */
  readonly #shareKey: string;
  /** A Table tells its columns in its first event only. */
  #columnsSent = false;

  /** Writes as the request wants it. */
  constructor({ resource, representation, server }: ResourceExchange) {
    this.#resource = resource;
    this.#representation = representation;
    this.#now = () => server.clock.wallNow();
    this.#shareKey = `${resource.apiVersion} ${representation.as} ${representation.viewVersion}`;
  }

  /** The line for a write; watches that want it in the same form get the same bytes. */
  shared(entry: LiveEntry, type: LogEntry["type"]): Uint8Array {
    // Rows tell an age, and columns come once: a Table's lines are its own.
    if (this.#representation.as === "Table") return this.event(type, this.#subject(entry, type));
    const key = `${type} ${this.#shareKey}`;
    let line = entry.lines.get(key);
    if (line === undefined) {
      line = this.event(type, this.#subject(entry, type));
      entry.lines.set(key, line);
    }
    return line;
  }

  /** The line for one object. */
  event(type: LogEntry["type"], object: StoredObject): Uint8Array {
    return this.#line(type, this.#view(this.#resource.text(object)));
  }

  /** The line of a bookmark. */
  bookmark(revision: number, annotations?: Record<string, string>): Uint8Array {
    const { kind: { kind }, apiVersion } = this.#resource;
    const object: KubeObject = {
      kind,
      apiVersion,
      metadata: { resourceVersion: String(revision), ...(annotations ? { annotations } : {}) },
    };
    if (this.#representation.as === "Object") {
      return this.#line("BOOKMARK", this.#resource.encodeBookmark(object));
    }
    return this.#line("BOOKMARK", this.#view(JSON.stringify(object)));
  }

  /** What a DELETED line shows of a write that was no deletion: the object before, with the revision of the write. */
  #subject(entry: LiveEntry, type: LogEntry["type"]): StoredObject {
    if (type !== "DELETED" || entry.type === "DELETED") return entry.object;
    const last = entry.previous!.parse();
    last.metadata.resourceVersion = String(entry.revision);
    return new StoredObject(last, entry.revision, this.#resource.encodeStored(last));
  }

  #view(text: string): string {
    switch (this.#representation.as) {
      case "Object":
        return text;
      case "Table": {
        const object = JSON.parse(text) as KubeObject;
        const listMeta = { resourceVersion: object.metadata.resourceVersion ?? "" };
        const omitColumns = this.#columnsSent;
        this.#columnsSent = true;
        const table = tableOf(
          this.#resource,
          [object],
          listMeta,
          this.#representation,
          this.#now(),
          omitColumns,
        );
        return inVersion(encodeJson(table), this.#representation);
      }
      default:
        return inVersion(
          encodeJson(toPartialObjectMetadata(JSON.parse(text))),
          this.#representation,
        );
    }
  }

  #line(type: string, objectText: string): Uint8Array {
    return encoder.encode(`{"type":"${type}","object":${objectText}}\n`);
  }
}
