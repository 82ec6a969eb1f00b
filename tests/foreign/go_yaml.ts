/**
 * The YAML of Kubernetes, in a Go program.
 *
 * @module
 */

import { assert } from "@std/assert";
import { fileURLToPath } from "node:url";
import { canonicalFields, canonicalItems, canonicalNumber } from "../yaml/_recorded.ts";
import type { Request } from "../yaml/_texts.ts";

/** The program, built into a folder of its own. */
export class GoYaml implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds the program. */
  static async build(): Promise<GoYaml> {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-yaml-" });
    const { success, stderr } = await new Deno.Command("go", {
      args: ["build", "-trimpath", "-o", `${folder}/yaml`, "."],
      cwd: fileURLToPath(new URL("go_yaml/", import.meta.url)),
      env: { CGO_ENABLED: "0" },
      stderr: "piped",
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return new GoYaml(folder);
  }

  /** Reads texts. Returns the canonical values of each, or null if it is an error. */
  async read(requests: readonly Request[]): Promise<(string | null)[]> {
    const input = `${this.#folder}/input`;
    await Deno.writeTextFile(input, requests.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const file = await Deno.open(input);
    const child = new Deno.Command(`${this.#folder}/yaml`, { stdin: "piped", stdout: "piped" })
      .spawn();
    const [{ success, stdout }] = await Promise.all([
      child.output(),
      file.readable.pipeTo(child.stdin),
    ]);
    assert(success);
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    return lines.map((line) => {
      const { values = [], error } = JSON.parse(line) as {
        readonly values?: readonly GoValue[];
        readonly error?: string;
      };
      return error === undefined ? canonicalItems(values.map(canonicalOfGo)) : null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** A value as the program prints it. */
type GoValue =
  | string
  | boolean
  | null
  | { readonly o: readonly (readonly [string, GoValue])[] }
  | { readonly a: readonly GoValue[] }
  | { readonly n: string };

function canonicalOfGo(value: GoValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("n" in value) return canonicalNumber(value.n);
  if ("a" in value) return canonicalItems(value.a.map(canonicalOfGo));
  return canonicalFields(value.o.map(([key, member]) => [key, canonicalOfGo(member)]));
}
