import { stringifyJson, visibleJson, visibleText } from "@kubeloop/controller/internal/base";
import type { DeepReadonly, KubeObject } from "@kubeloop/controller/types";
import { writeYaml } from "@kubeloop/controller/internal/yaml";
import type { CommandHost } from "./host.ts";

/** The forms in which whole objects are written. */
export type ObjectForm = "json" | "yaml";

/**
 * Writes objects as JSON or YAML: a single object, or a List whose items are written one at a time, so that a long list is
 * never in memory as a whole.
 */
export class ObjectWriter {
  readonly #host: CommandHost;
  readonly #form: ObjectForm;
  #count = 0;

  constructor(host: CommandHost, form: ObjectForm) {
    this.#host = host;
    this.#form = form;
  }

  /** Writes a single object, without a List. */
  async only(object: KubeObject): Promise<void> {
    await this.#host.printData(this.#text(withoutManagedFields(object), ""));
  }

  /** Writes the next object of a List. */
  async item(stored: KubeObject): Promise<void> {
    const object = withoutManagedFields(stored);
    const isFirst = this.#count++ === 0;
    if (this.#form === "yaml") {
      return await this.#host.printData((isFirst ? YAML_HEAD : "") + this.#text(object, "  "));
    }
    await this.#host.printData(
      (isFirst ? JSON_HEAD : ",\n") + this.#text(object, "    ").trimEnd(),
    );
  }

  /** Writes the end of the List. */
  async end(): Promise<void> {
    const isEmpty = this.#count === 0;
    if (this.#form === "yaml") await this.#host.printData(isEmpty ? YAML_EMPTY : YAML_TAIL);
    else await this.#host.printData(isEmpty ? JSON_EMPTY : JSON_TAIL);
  }

  #text(object: KubeObject, indent: string): string {
    if (this.#form === "json") {
      return `${indent}${jsonText(object, 2).replaceAll("\n", `\n${indent}`)}\n`;
    }
    const yaml = writeYaml(indent === "" ? object : [object]);
    // Files get the exact values: an escape would change a plain YAML scalar.
    if (!this.#host.stdout.isTerminal) return yaml;
    return yaml.split("\n").map((line) => visibleText(line, Infinity)).join("\n");
  }
}

const JSON_HEAD = '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": [\n';
const JSON_TAIL = "\n  ]\n}\n";
const JSON_EMPTY = '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": []\n}\n';
const YAML_HEAD = "apiVersion: v1\nkind: List\nitems:\n";
const YAML_TAIL = "";
const YAML_EMPTY = "apiVersion: v1\nkind: List\nitems: []\n";

/** Returns an object without its managed fields, as in kubectl. `kubeloop why` shows them. */
export function withoutManagedFields<T extends DeepReadonly<KubeObject>>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Returns JSON like `stringifyJson`, with escapes for control and invisible characters. */
export function jsonText(value: unknown, indent: number = 0): string {
  return visibleJson(stringifyJson(value, { indent }));
}
