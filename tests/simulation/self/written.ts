import type { ServerWrite } from "../../../src/testing/api_server/mod.ts";
import type { Kind } from "./plan.ts";

/** One write, as far as checks need it. */
export interface Version {
  readonly revision: number;
  readonly uid: string;
  /** The content of the object; undefined if the write has deleted it. */
  readonly content: string | undefined;
  readonly group: string;
}

/** Everything that the server has committed: what informers may show. */
export class Written {
  readonly #versions = new Map<string, Version[]>();

  /** Records a write. */
  add({ name, resource, resourceVersion, type, uid, object }: ServerWrite): void {
    if (resource !== "configmaps" && resource !== "secrets") return;
    const { annotations, labels } = object().metadata;
    const key = `${resource} default/${name}`;
    const version: Version = {
      revision: Number(resourceVersion),
      uid,
      content: type === "DELETED" ? undefined : annotations?.n ?? "",
      group: labels?.group ?? "",
    };
    const versions = this.#versions.get(key);
    if (versions === undefined) this.#versions.set(key, [version]);
    else versions.push(version);
  }

  /** Returns the last version of an object; undefined if there never was one. */
  last(kind: Kind, key: string): Version | undefined {
    return this.#versions.get(`${kind} ${key}`)?.at(-1);
  }

  /** Returns the version of an object that a write has made. */
  at(kind: Kind, key: string, revision: number): Version | undefined {
    return this.#versions.get(`${kind} ${key}`)?.findLast((version) =>
      version.revision === revision
    );
  }

  /** Returns what an object was at a revision: the last write up to then. */
  upTo(kind: Kind, key: string, revision: number): Version | undefined {
    return this.#versions.get(`${kind} ${key}`)?.findLast((version) =>
      version.revision <= revision
    );
  }

  /** Returns the keys of all objects of a kind that ever were. */
  keys(kind: Kind): string[] {
    const prefix = `${kind} `;
    return [...this.#versions.keys()].filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  }

  /** Returns the objects of a kind that exist, by key, with their versions. */
  existing(kind: Kind, group: string | undefined): Map<string, Version> {
    const found = new Map<string, Version>();
    for (const key of this.keys(kind)) {
      const version = this.last(kind, key);
      if (version?.content === undefined) continue;
      if (group === undefined || version.group === group) found.set(key, version);
    }
    return found;
  }
}
