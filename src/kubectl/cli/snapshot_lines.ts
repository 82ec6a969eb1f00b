import { isRecord, parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import { LAST_APPLIED } from "@kubeloop/controller/internal/fields";
import { apiVersionOf, type KubeObject, type ResourceDescriptor } from "@kubeloop/controller/types";
import { jsonText } from "./object_writer.ts";

/** The version of the format of a snapshot. */
const FORMAT = 1;

/** The complete part of an interrupted snapshot. */
export interface SnapshotSoFar {
  /** The full names of the resources that are complete. */
  readonly resources: ReadonlySet<string>;
  /** Whether nothing is missing. */
  readonly isComplete: boolean;
}

/** The first line of a snapshot. */
export function headLine(kubernetes: string): string {
  return line({ snapshot: { format: FORMAT, kubernetes } });
}

/** The line before the objects of a resource. If a resource begins twice, the later objects count. */
export function beginLine(resource: string): string {
  return line({ snapshot: { resource } });
}

/** The line after the objects of a resource. */
export function endLine(resource: string, objects: number): string {
  return line({ snapshot: { resource, objects, complete: true } });
}

/** The last line of a snapshot. */
export function lastLine(): string {
  return line({ snapshot: { complete: true } });
}

/** Returns the line of an object. Items of a list have no `apiVersion` and `kind`, so the line has them from the resource. */
export function objectLine(object: KubeObject, resource: ResourceDescriptor): string {
  return line({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind });
}

/**
 * Reads which resources of an interrupted snapshot are complete.
 *
 * @throws {SyntaxError} If the file is not a snapshot.
 */
export async function readSoFar(
  lines: AsyncIterable<string>,
  path: string,
): Promise<SnapshotSoFar> {
  const resources = new Set<string>();
  let isComplete = false;
  let number = 0;
  for await (const text of lines) {
    number++;
    // Most lines are objects, which need not be read.
    const marker = text.startsWith('{"snapshot":') ? markerOf(text) : undefined;
    if (number === 1 && marker?.["format"] !== FORMAT) {
      throw new SyntaxError(
        `Cannot continue ${path}: it does not begin as a file of kubeloop snapshot does`,
      );
    }
    if (marker?.["complete"] !== true) continue;
    if (typeof marker["resource"] === "string") resources.add(marker["resource"]);
    else isComplete = true;
  }
  if (number === 0) throw new SyntaxError(`Cannot continue ${path}: it is empty`);
  return { resources, isComplete };
}

function markerOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) && isRecord(value["snapshot"]) ? value["snapshot"] : undefined;
  } catch {
    // An interrupted write leaves a part of a line.
    return undefined;
  }
}

/** Replaces the values of Secrets. */
export class SecretHashes {
  readonly #key: Promise<CryptoKey>;

  constructor() {
    // The key is thrown away, so that no value can be guessed from its hash. Equal values of one run have equal hashes.
    this.#key = crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  /** Returns a Secret with hashes as its values. */
  async hide(secret: KubeObject): Promise<KubeObject> {
    const { metadata, data, stringData, ...rest } = secret as KubeObject & {
      data?: unknown;
      stringData?: unknown;
    };
    const { annotations } = metadata;
    return {
      ...rest,
      ...(data !== undefined && { data: await this.#hashes(data) }),
      ...(stringData !== undefined && { stringData: await this.#hashes(stringData) }),
      metadata: annotations?.[LAST_APPLIED] === undefined ? metadata : {
        ...metadata,
        annotations: {
          ...annotations,
          [LAST_APPLIED]: await this.#hash(annotations[LAST_APPLIED]),
        },
      },
    } as KubeObject;
  }

  async #hashes(data: unknown): Promise<unknown> {
    if (!isRecord(data)) return await this.#hash(stringifyJson(data));
    const out: [string, string][] = [];
    for (const [name, value] of Object.entries(data)) {
      out.push([name, await this.#hash(typeof value === "string" ? value : stringifyJson(value))]);
    }
    return Object.fromEntries(out);
  }

  async #hash(text: string): Promise<string> {
    const bytes = await crypto.subtle.sign("HMAC", await this.#key, new TextEncoder().encode(text));
    return `sha256:${
      [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
    }`;
  }
}

function line(value: unknown): string {
  return `${jsonText(value)}\n`;
}
