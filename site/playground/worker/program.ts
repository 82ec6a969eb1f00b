/**
 * Loads a program: strips its types, gives it the modules of the library, and finds the line of an error.
 *
 * @module
 */

import { transform } from "sucrase";
import { describeError } from "@kubeloop/controller/internal/base";
import { MAX_TEXT, type ProgramProblem } from "../protocol.ts";
import { MODULES } from "./modules.ts";

/** The name of the program in stacks. A path with a folder, so that simulations count its frames as the program's. */
export const PROGRAM_FILE = "playground/program.ts";
const PLACE = /playground\/program\.ts:(\d{1,6})/;
/** The specifier of an import, an export or `import()`, with what precedes it. */
const SPECIFIER = /(\bfrom\s{0,100}|\bimport\s{0,100}(?:\(\s{0,100})?)(["'])([^"'\n]{1,200})\2/g;

const modules = globalThis as unknown as Record<string, unknown>;
const createUrl = URL.createObjectURL.bind(URL);
const BlobOf = Blob;

/** The exports of a program. */
export type ProgramExports = Readonly<Record<string, unknown>>;

/** An error of a program, with its line. */
export class ProgramError extends Error {
  /** The line, from 1; undefined if it is unknown. */
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.line = line;
  }
}

/**
 * Runs a program as a module, and returns its exports.
 *
 * @throws {ProgramError} If it is not a program, or throws.
 */
export async function loadProgram(source: string): Promise<ProgramExports> {
  if (source.length > MAX_TEXT) {
    throw new ProgramError(`The program has more than ${MAX_TEXT / 1024} KiB`, undefined);
  }
  const code = withModules(withoutTypes(source));
  const url = moduleUrl(`${code}\n//# sourceURL=${PROGRAM_FILE}`);
  try {
    return await import(url);
  } catch (error) {
    throw problemOf(error);
  }
}

/** Returns an error as text, with the line of the program that it names first. */
export function problemOf(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error;
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return new ProgramError(withoutUrls(describeError(error)), lineIn(stack));
}

/** Returns the line of the program that a text names first. */
export function lineIn(text: string): number | undefined {
  const [, line] = PLACE.exec(text) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** Returns a problem as data. */
export function problemData({ line, message }: ProgramError): ProgramProblem {
  return { message, ...(line !== undefined && { line }) };
}

function withoutTypes(source: string): string {
  try {
    // Lines keep their numbers.
    return transform(source, { transforms: ["typescript"], disableESTransforms: true }).code;
  } catch (error) {
    const { loc } = error as { readonly loc?: { readonly line: number } };
    const message = describeError(error).replace(/^.*?Error transforming [^:]*: /, "");
    throw new ProgramError(message.replace(/ \(\d+:\d+\)$/, ""), loc?.line);
  }
}

function withModules(code: string): string {
  return code.replace(SPECIFIER, (all, before: string, quote: string, name: string, at: number) => {
    if (MODULES[name] !== undefined) return `${before}${quote}${urlOfModule(name)}${quote}`;
    if (!/^[@a-z][\w./@:-]*$/i.test(name) || name.startsWith("blob:")) return all;
    // The text of a string may look like an import.
    if (!isStatement(code, at)) return all;
    const known = Object.keys(MODULES).join(", ");
    const line = code.slice(0, at).split("\n").length;
    throw new ProgramError(`There is no module "${name}" here. There are ${known}`, line);
  });
}

/** Whether an import or an export begins the line, or the lines of an import of several names end here. */
function isStatement(code: string, at: number): boolean {
  const line = code.slice(code.lastIndexOf("\n", at) + 1, at);
  return /^\s*(?:import\b|export\b|\}\s*$|$)/.test(line);
}

const urls = new Map<string, string>();

/** Returns the URL of a module that exports what a module of the library exports. */
function urlOfModule(name: string): string {
  const known = urls.get(name);
  if (known !== undefined) return known;
  const key = `kubeloop module ${name}`;
  const exported = MODULES[name]!;
  Object.defineProperty(modules, key, { value: exported });
  const names = Object.keys(exported).filter((one) => one !== "default");
  const parts = names.map((one) => `${one} = m.${one}`).join(", ");
  const url = moduleUrl(`const m = globalThis[${JSON.stringify(key)}];\nexport const ${parts};`);
  urls.set(name, url);
  return url;
}

function moduleUrl(code: string): string {
  return createUrl(new BlobOf([code], { type: "text/javascript" }));
}

/** URLs of modules of the library mean nothing to the reader. */
function withoutUrls(message: string): string {
  for (const [name, url] of urls) message = message.replaceAll(url, name);
  return message;
}
