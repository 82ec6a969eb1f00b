import { parallelizeUntil, parseJson } from "../base/mod.ts";
import { PageProgress } from "../pager/mod.ts";
import {
  CustomResourceDefinitions,
  explainError,
  isNotFound,
  type KubeList,
  type KubeObject,
  metadataOf,
  type ResourceDescriptor,
  StatusError,
} from "../types/mod.ts";
import { type Definition, type MigrationRequests, RefusedError } from "./migration_requests.ts";

/** The number of objects in a page. Pages have only their metadata. */
const PAGE_SIZE = 500;

/** The number of objects that are written at the same time. */
const WORKERS = 4;

/** The number of refused objects after which the others are not tried. */
const MAX_REFUSED = 100;

/** The number of refused objects that the error names. */
const MAX_NAMED = 3;

/** The number of times that the list is started over. */
const MAX_STARTS = 5;

/** The annotation of a definition with the {@linkcode Progress} of its migration. */
const PROGRESS = "kubeloop/rewritten-until";

/** How far a migration has come: all objects before the continue token are rewritten. */
interface Progress {
  /** The generation of the definition. Another one may have another storage version. */
  readonly generation: number | undefined;
  readonly continue: string;
}

/**
 * Rewrites all stored objects of a definition, page by page: a patch that changes nothing stores an object again if it is
 * stored in another version than the storage version. After each page, an annotation of the definition says where the
 * next migration starts if this one is killed.
 *
 * @param resource The resource, in a served version.
 * @throws {Error} If an object could not be rewritten. The others are rewritten nevertheless.
 */
export async function rewriteObjects(
  requests: MigrationRequests,
  definition: Definition,
  resource: ResourceDescriptor,
): Promise<void> {
  await new Rewriting(requests, definition, resource).run();
}

/** Reports whether an earlier call has rewritten some objects, so that the next one starts after them. */
export function hasProgress({ metadata }: Definition): boolean {
  return savedToken(metadata) !== "";
}

function savedToken({ annotations, generation }: Definition["metadata"]): string {
  try {
    const saved = parseJson(annotations?.[PROGRESS] ?? "{}") as Partial<Progress>;
    return saved.generation === generation && typeof saved.continue === "string"
      ? saved.continue
      : "";
  } catch {
    return "";
  }
}

/** Reports whether a 404 is about an object, which is deleted then, and not about its resource. */
function isAboutObject(error: unknown, name: string): boolean {
  return StatusError.is(error) && error.status.details?.name === name;
}

/** Returns the error of a resource that is not served at the moment, as while a server starts. A retry may succeed. */
function notServed(error: unknown): Error {
  return new Error(explainError(error), { cause: error });
}

class Rewriting {
  readonly #requests: MigrationRequests;
  readonly #definition: Definition;
  readonly #resource: ResourceDescriptor;
  readonly #name: string;
  readonly #refused: string[] = [];
  #tried = 0;
  #starts = 1;
  /** Whether a request has failed too often. */
  #hasFailed = false;
  /** Whether the definition has the annotation. */
  #isSaved: boolean;

  constructor(requests: MigrationRequests, definition: Definition, resource: ResourceDescriptor) {
    this.#requests = requests;
    this.#definition = definition;
    this.#resource = resource;
    this.#name = definition.metadata.name ?? "";
    this.#isSaved = definition.metadata.annotations?.[PROGRESS] !== undefined;
  }

  async run(): Promise<void> {
    const { logger, signal } = this.#requests;
    const progress = new PageProgress();
    let token = savedToken(this.#definition.metadata);
    do {
      const page = await this.#page(token);
      await parallelizeUntil(
        WORKERS,
        page.items.length,
        (index) => this.#rewrite(page.items[index]!),
        { signal },
      );
      signal.throwIfAborted();
      if (this.#refused.length >= MAX_REFUSED) break;
      this.#tried += page.items.length;
      token = progress.tokenAfter(page);
      const left = token === "" ? 0 : page.metadata.remainingItemCount ?? "more";
      const refused = this.#refused.length;
      logger.info(
        `Stored objects of ${this.#name}: ${
          this.#tried - refused
        } rewritten, ${refused} refused, ${left} left`,
      );
      if (token !== "" && this.#refused.length === 0) await this.#save(token);
    } while (token !== "");
    const refused = this.#refused.length;
    if (refused === 0) return await this.#forget();
    const named = this.#refused.slice(0, MAX_NAMED).join("; ");
    const more = refused > MAX_NAMED ? `; and ${refused - MAX_NAMED} more` : "";
    throw new Error(`${refused} objects could not be rewritten: ${named}${more}`);
  }

  /** Returns a page; the first one if the server does not know the token any more. */
  async #page(token: string): Promise<KubeList> {
    const { client, read } = this.#requests;
    const list = (from: string) =>
      client.list(metadataOf(this.#resource), {
        limit: PAGE_SIZE,
        ...(from === "" ? {} : { continue: from }),
        ...read,
      });
    return await this.#requests.attempt(`list ${this.#name}`, async () => {
      try {
        return await list(token);
      } catch (error) {
        if (isNotFound(error)) throw notServed(error);
        if (token === "" || !StatusError.is(error) || ![400, 410].includes(error.code)) throw error;
        // The token of the answer continues the list in the present state. Objects that were created meanwhile are stored in
        // the new version.
        const next = error.status.metadata?.continue ?? "";
        if (next === "" && ++this.#starts > MAX_STARTS) throw error;
        return await list(next);
      }
    });
  }

  /** Rewrites an object, unless too many have failed already. */
  async #rewrite({ metadata: { name = "", namespace } }: KubeObject): Promise<void> {
    if (this.#hasFailed || this.#refused.length >= MAX_REFUSED) return;
    const { client, write } = this.#requests;
    const resource = metadataOf(this.#resource);
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    const call = namespace === undefined ? write : { ...write, namespace };
    try {
      await this.#requests.attempt(`rewrite ${key}`, async () => {
        try {
          await client.patch(resource, name, {}, call);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          if (!isAboutObject(error, name)) throw notServed(error);
        }
      });
    } catch (error) {
      if (!(error instanceof RefusedError)) {
        this.#hasFailed = true;
        throw error;
      }
      this.#refused.push(error.message);
    }
  }

  async #save(token: string): Promise<void> {
    const { logger, signal } = this.#requests;
    const { generation } = this.#definition.metadata;
    const progress: Progress = { generation, continue: token };
    this.#isSaved = true;
    try {
      await this.#annotate(JSON.stringify(progress));
    } catch (error) {
      signal.throwIfAborted();
      // Without it, a migration that is killed starts over.
      logger.debug(`The progress of the migration of ${this.#name} is not saved`, error);
    }
  }

  async #forget(): Promise<void> {
    if (!this.#isSaved) return;
    const what = `patch customresourcedefinitions ${this.#name}`;
    await this.#requests.attempt(what, () => this.#annotate(null));
  }

  async #annotate(progress: string | null): Promise<void> {
    const { client, write } = this.#requests;
    const patch = { metadata: { annotations: { [PROGRESS]: progress } } };
    await client.patch(CustomResourceDefinitions, this.#name, patch, write);
  }
}
