/** The YAML of Kubernetes, in a Go program with the packages that kubectl and client-go use. */

import { assert } from "@std/assert";
import { binary } from "../../e2e/binaries.ts";
import {
  canonicalFields,
  canonicalItems,
  canonicalNumber,
  yamlEntries,
} from "../../yaml/_recorded.ts";
import type { Request } from "../../yaml/_texts.ts";
import type { ModuleSet } from "../recorded_set.ts";

/** The values that Go reads from the texts of the tests of YAML. */
export const yamlSet: ModuleSet = { name: "yaml", read: () => yamlEntries(readWithGo) };

/** Reads texts. Returns the canonical values of each, or null if it is an error. Needs go. */
export async function readWithGo(requests: readonly Request[]): Promise<(string | null)[]> {
  const input = new Blob(requests.map((one) => `${JSON.stringify(one)}\n`));
  const child = new Deno.Command(await binary("yaml"), { stdin: "piped", stdout: "piped" }).spawn();
  const [{ success, stdout }] = await Promise.all([
    child.output(),
    input.stream().pipeTo(child.stdin),
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
