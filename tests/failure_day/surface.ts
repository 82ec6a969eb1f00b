/**
 * Reads the output of `deno doc --json` and lists the public names that can fail: functions and methods that wait, that open
 * what must be closed, or that write; and options, parameters and interfaces through which the library calls the user's
 * functions. `surface_test.ts` refuses a name without a row.
 *
 * @module
 */

import type { Doc as PublicDoc } from "../support/public_docs.ts";

/** A type, as in the documentation. */
interface DocType {
  readonly kind: string;
  readonly value?: unknown;
  readonly repr?: string;
}

interface DocParam {
  readonly name?: string;
  readonly left?: DocParam;
  readonly tsType?: DocType;
}

interface DocFunction {
  readonly params: readonly DocParam[];
  readonly returnType?: DocType;
}

interface DocMember {
  readonly name: string;
  readonly tsType?: DocType;
  readonly params?: readonly DocParam[];
  readonly returnType?: DocType;
  readonly functionDef?: DocFunction;
  readonly accessibility?: string;
}

interface DocDefinition extends Partial<DocFunction> {
  readonly constructors?: readonly { readonly params: readonly DocParam[] }[];
  readonly methods?: readonly DocMember[];
  readonly properties?: readonly DocMember[];
  readonly callSignatures?: readonly DocFunction[];
  readonly extends?: readonly DocType[] | string;
  readonly tsType?: DocType;
}

interface DocDeclaration {
  readonly kind: string;
  readonly def: DocDefinition;
  readonly location: { readonly filename: string; readonly line: number };
}

/** The documentation of modules. */
export type Doc = PublicDoc<DocDeclaration>;

/** The types whose values must be awaited or closed. */
const WAITS = new Set([
  "Promise",
  "PromiseLike",
  "AsyncIterable",
  "AsyncIterator",
  "AsyncIterableIterator",
  "AsyncGenerator",
  "AsyncDisposable",
  "Disposable",
  "ReadableStream",
  "WritableStream",
]);

/** Lists the public names that can fail, without duplicates, in order. */
export function surfaceOf(doc: Doc): string[] {
  return [...new Set(new Surface(doc).names())].sort();
}

class Surface {
  readonly #declarations = new Map<string, DocDeclaration[]>();
  readonly #taken = new Set<string>();

  constructor(doc: Doc) {
    const seen = new Set<string>();
    for (const { symbols } of Object.values(doc.nodes)) {
      for (const { name, declarations } of symbols) {
        for (const declaration of declarations) {
          const { filename, line } = declaration.location;
          const id = `${filename}:${line}:${name}`;
          if (declaration.kind === "reference" || seen.has(id)) continue;
          seen.add(id);
          const same = this.#declarations.get(name) ?? [];
          same.push(declaration);
          this.#declarations.set(name, same);
        }
      }
    }
    for (const all of this.#declarations.values()) {
      for (const { def, kind } of all) {
        if (kind === "function") this.#take(def.params);
        for (const { params } of def.constructors ?? []) this.#take(params);
        if (kind !== "class") continue;
        for (const { functionDef } of def.methods ?? []) this.#take(functionDef?.params);
      }
    }
  }

  *names(): Generator<string> {
    for (const [name, declarations] of this.#declarations) {
      for (const { def, kind } of declarations) {
        switch (kind) {
          case "function":
            yield* this.#functionNames(name, def as DocFunction);
            break;
          case "class":
            yield* this.#classNames(name, def);
            break;
          case "interface":
            yield* this.#interfaceNames(name, def);
            break;
          case "typeAlias":
            for (const member of literalsOf(def.tsType)) yield* this.#interfaceNames(name, member);
            break;
          case "variable":
            if (this.#isFunction(def.tsType)) yield name;
            break;
        }
      }
    }
  }

  *#functionNames(name: string, { params, returnType }: DocFunction): Generator<string> {
    if (this.#waits(returnType)) yield name;
    for (const param of params.map(plain)) {
      if (this.#isFunction(param.tsType)) yield `${name}(${param.name})`;
    }
  }

  *#classNames(name: string, def: DocDefinition): Generator<string> {
    const methods = (def.methods ?? []).filter(({ accessibility }) => accessibility === undefined);
    const owns = methods.some(({ functionDef }) => this.#waits(functionDef?.returnType));
    for (const { params } of def.constructors ?? []) {
      for (const param of params.map(plain)) {
        if (this.#isFunction(param.tsType)) yield `new ${name}(${param.name})`;
      }
    }
    for (const { name: method, functionDef } of methods) {
      if (functionDef === undefined) continue;
      const full = memberOf(name, method);
      yield* this.#functionNames(full, functionDef);
      // A method without a result, of a class that owns resources, acts on these resources.
      if (owns && functionDef.returnType?.repr === "void") yield full;
    }
    for (const { name: property, tsType, accessibility } of def.properties ?? []) {
      if (accessibility === undefined && this.#isFunction(tsType)) yield memberOf(name, property);
    }
  }

  *#interfaceNames(name: string, def: DocDefinition): Generator<string> {
    for (const { name: method, returnType, params } of def.methods ?? []) {
      const full = memberOf(name, method);
      if (this.#waits(returnType) || this.#taken.has(name)) yield full;
      for (const param of (params ?? []).map(plain)) {
        if (this.#isFunction(param.tsType)) yield `${full}(${param.name})`;
      }
    }
    for (const { name: property, tsType } of def.properties ?? []) {
      if (this.#isFunction(tsType)) yield memberOf(name, property);
    }
  }

  /** Notes the interfaces that users pass, with those inside. */
  #take(params: readonly DocParam[] | undefined): void {
    for (const param of params ?? []) this.#takeType(plain(param).tsType);
  }

  #takeType(type: DocType | undefined): void {
    for (const name of refsOf(type)) {
      if (this.#taken.has(name)) continue;
      for (const { def, kind } of this.#declarations.get(name) ?? []) {
        if (kind !== "interface" && kind !== "typeAlias") continue;
        this.#taken.add(name);
        for (const { tsType } of def.properties ?? []) this.#takeType(tsType);
        this.#takeType(def.tsType);
        for (const parent of Array.isArray(def.extends) ? def.extends : []) this.#takeType(parent);
      }
    }
  }

  #isFunction(type: DocType | undefined, depth = 0): boolean {
    if (type === undefined || depth > 8) return false;
    const { kind, value } = type;
    if (kind === "fnOrConstructor") return true;
    if (kind === "union" || kind === "intersection") {
      return (value as DocType[]).some((one) => this.#isFunction(one, depth + 1));
    }
    if (kind === "parenthesized" || kind === "optional" || kind === "array") {
      return this.#isFunction(value as DocType, depth + 1);
    }
    if (kind === "typeOperator") {
      return this.#isFunction((value as { readonly tsType: DocType }).tsType, depth + 1);
    }
    if (kind !== "typeRef") return false;
    const { typeParams = [] } = value as { readonly typeParams?: readonly DocType[] };
    if (/^(?:Record|Readonly|ReadonlyArray|ReadonlyMap|Map)$/.test(refName(type))) {
      return typeParams.some((one) => this.#isFunction(one, depth + 1));
    }
    return (this.#declarations.get(refName(type)) ?? []).some(({ def, kind }) =>
      kind === "typeAlias"
        ? this.#isFunction(def.tsType, depth + 1)
        : kind === "interface" && (def.callSignatures ?? []).length > 0
    );
  }

  #waits(type: DocType | undefined, depth = 0): boolean {
    if (type === undefined || depth > 8) return false;
    const { kind, value } = type;
    if (kind === "union" || kind === "intersection") {
      return (value as DocType[]).some((one) => this.#waits(one, depth + 1));
    }
    if (kind === "parenthesized") return this.#waits(value as DocType, depth + 1);
    // A function that is returned, and waits.
    if (kind === "fnOrConstructor") {
      return this.#waits((value as { readonly tsType: DocType }).tsType, depth + 1);
    }
    if (kind !== "typeRef") return false;
    const name = refName(type);
    if (WAITS.has(name)) return true;
    return (this.#declarations.get(name) ?? []).some(({ def, kind }) =>
      kind === "typeAlias"
        ? this.#waits(def.tsType, depth + 1)
        : (def.methods ?? []).some(({ name }) => /^\[Symbol\.(?:async)?[dD]ispose\]$/.test(name))
    );
  }
}

function refName(type: DocType): string {
  return (type.value as { readonly typeName: string }).typeName;
}

/** Returns the parameter itself, without its default. */
function plain(param: DocParam): DocParam {
  return param.left === undefined ? param : plain(param.left);
}

function memberOf(name: string, member: string): string {
  return member.startsWith("[") ? `${name}${member}` : `${name}.${member}`;
}

/** Returns the object types that are written in a type. */
function literalsOf(type: DocType | undefined): DocDefinition[] {
  if (type === undefined) return [];
  if (type.kind === "typeLiteral") return [type.value as DocDefinition];
  if (type.kind !== "union" && type.kind !== "intersection") return [];
  return (type.value as DocType[]).flatMap(literalsOf);
}

/** Returns the names of all types in a type. */
function refsOf(type: unknown): string[] {
  if (typeof type !== "object" || type === null) return [];
  if (Array.isArray(type)) return type.flatMap(refsOf);
  const own = (type as DocType).kind === "typeRef" ? [refName(type as DocType)] : [];
  return [...own, ...Object.values(type).flatMap(refsOf)];
}
