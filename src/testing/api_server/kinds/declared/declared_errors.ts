import {
  byteLength,
  child,
  duplicate,
  type Field,
  type FieldError,
  forbiddenField,
  getOwn,
  invalidValue,
  isNumber,
  isObject,
  item,
  type Json,
  jsonEqual,
  jsonKey,
  type JsonObject,
  notSupported,
  required,
  type StructType,
  tooLong,
  tooMany,
  type Type,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { formatErrors } from "./formats.ts";
import { type FieldRules, parseRule, type Rule, rulesIn, type RuleTable } from "./rule_table.ts";

/** An error of a rule, with the name of the rule. */
export interface DeclaredError extends FieldError {
  readonly rule: string;
}

/** A field or an item that is validated. */
interface Place {
  readonly value: Json | undefined;
  /** The value before an update; undefined if there was none, or if nothing identifies the earlier item. */
  readonly old: Json | undefined;
  readonly path: string;
  readonly type: Type;
  /** Whether an absent value differs from an empty one, as for a pointer in Go. */
  readonly isPointer: boolean;
}

/**
 * Returns the errors of the rules of a kind's type, in the order of the real server. Values that an update does not change
 * are not validated.
 *
 * @param old The object before an update; absent on a create.
 */
export function declaredErrors(
  next: JsonObject,
  old: JsonObject | undefined,
  schema: StructType,
  release: Release,
): DeclaredError[] {
  const table = rulesIn(release.minor);
  if (!table.reaches(schema)) return [];
  return new Walk(table, release, old !== undefined).struct(next, old, schema, "");
}

/** The rules that come first. An error of one of them, or an optional value that is absent, ends the validation of a field. */
const FIRST = ["optional", "required", "forbidden", "immutable", "update", "maxItems", "hidden"];

class Walk {
  readonly #table: RuleTable;
  readonly #release: Release;
  readonly #isUpdate: boolean;

  constructor(table: RuleTable, release: Release, isUpdate: boolean) {
    this.#table = table;
    this.#release = release;
    this.#isUpdate = isUpdate;
  }

  struct(
    value: JsonObject,
    old: JsonObject | undefined,
    type: StructType,
    path: string,
  ): DeclaredError[] {
    const rules = this.#table.of(type) ?? new Map();
    const errors = [
      ...this.#unionErrors(value, old, rules, path),
      ...this.#modeErrors(value, old, rules, { type, path }),
    ];
    for (const field of type.fields.values()) {
      const own = rules.get(field.name) ?? [];
      if (own.length === 0 && !this.#table.reaches(field.type)) continue;
      const place = placeOf(field, value, old, path);
      if (this.#isUpdate && old !== undefined && isSame(place)) continue;
      errors.push(...this.#field(place, own));
    }
    return errors;
  }

  #field(place: Place, given: readonly Rule[]): DeclaredError[] {
    const rules = given.flatMap((rule) => this.#inForce(rule));
    const errors: DeclaredError[] = [];
    let ends = false;
    for (const rule of rules.filter(({ name }) => FIRST.includes(name))) {
      if (rule.name === "optional") ends ||= isAbsent(place);
      const isHidden = rule.name === "hidden";
      const found = this.#firstErrors(place, isHidden ? parseRule(rule.value) : rule);
      ends ||= found.length > 0;
      if (!isHidden) errors.push(...found);
    }
    if (ends || place.value === undefined && place.type.kind !== "struct") return errors;
    for (const rule of rules) errors.push(...this.#valueErrors(place, rule));
    return [...errors, ...this.#listErrors(place, rules), ...this.#within(place, rules)];
  }

  /** Returns the rule itself, or the rule inside a condition on a gate, if the release has it. */
  #inForce(rule: Rule): Rule[] {
    const { name, condition, value } = rule;
    if (name !== "ifEnabled" && name !== "ifDisabled") return [rule];
    return this.#release.isOn(condition) === (name === "ifEnabled") ? [parseRule(value)] : [];
  }

  #firstErrors(place: Place, { name, value }: Rule): DeclaredError[] {
    const { path } = place;
    const isSet = !isAbsent(place);
    switch (name) {
      case "required":
        return isSet ? [] : [of(name, required(path))];
      case "forbidden":
        return isSet ? [of(name, forbiddenField(path, ""))] : [];
      case "immutable":
        return this.#isUpdate ? [of(name, invalidValue(path, null, "field is immutable"))] : [];
      case "update":
        return this.#isUpdate ? updateErrors(place, value) : [];
      case "maxItems": {
        const count = Array.isArray(place.value) ? place.value.length : 0;
        return count > Number(value) ? [of(name, tooMany(path, count, Number(value)))] : [];
      }
      default:
        return [];
    }
  }

  #valueErrors({ value, type, path }: Place, { name, value: limit }: Rule): DeclaredError[] {
    const refuse = (reason: string) => [of(name, invalidValue(path, value, reason))];
    const isText = typeof value === "string";
    switch (name) {
      case "minimum":
        return isNumber(value) && value < Number(limit)
          ? refuse(`must be greater than or equal to ${limit}`)
          : [];
      case "maximum":
        return isNumber(value) && value > Number(limit)
          ? refuse(`must be less than or equal to ${limit}`)
          : [];
      case "maxLength":
        return isText && [...value].length > Number(limit)
          ? [of(name, tooManyCharacters(path, limit))]
          : [];
      case "maxBytes":
        return isText && byteLength(value) > Number(limit)
          ? [of(name, tooLong(path, Number(limit)))]
          : [];
      case "format":
        return isText ? formatErrors(limit, value, path).map((error) => of(name, error)) : [];
      case "enum":
        return isText && type.kind === "scalar" && !(type.enum?.includes(value) ?? true)
          ? [of(name, notSupported(path, value, [...type.enum!].sort()))]
          : [];
      case "eachKey":
        return isObject(value)
          ? Object.keys(value).flatMap((key) =>
            this.#valueErrors(
              { value: key, old: undefined, path, type, isPointer: false },
              parseRule(limit),
            )
          )
          : [];
      default:
        return [];
    }
  }

  /** Returns the errors of items that are equal, or that exclude each other. */
  #listErrors({ value, path }: Place, rules: readonly Rule[]): DeclaredError[] {
    if (!Array.isArray(value)) return [];
    const errors: DeclaredError[] = [];
    const keyOf = identityOf(rules);
    if (keyOf !== undefined && !rules.some(({ name }) => name === "customUnique")) {
      const known = new Set<string>();
      value.forEach((one, index) => {
        const key = keyOf(one);
        if (known.has(key)) errors.push(of("unique", duplicate(item(path, index), one)));
        known.add(key);
      });
    }
    const members = rules.filter(({ name, value: rule }) =>
      name === "item" && rule === "zeroOrOneOfMember"
    ).map(({ condition }) => condition.split(":") as [string, string]);
    const name = (index: number) => {
      const [key, wanted] = members[index]!;
      return `${path.slice(path.lastIndexOf(".") + 1)}[{"${key}": "${wanted}"}]`;
    };
    const found = members.flatMap(([key, wanted], index) =>
      value.some((one) => isObject(one) && getOwn(one, key) === wanted) ? [name(index)] : []
    );
    if (found.length > 1) {
      const all = members.map((_, index) => `\`${name(index)}\``).join(", ");
      const text = `{${found.join(", ")}}`;
      errors.push(of("union", invalidValue(path, text, `must specify at most one of: ${all}`)));
    }
    return errors;
  }

  /** Returns the errors of what a value contains. */
  #within({ value, old, path, type }: Place, rules: readonly Rule[]): DeclaredError[] {
    switch (type.kind) {
      case "struct": {
        const inner = isObject(value) ? value : {};
        return [
          ...this.#subfieldErrors(inner, isObject(old) ? old : undefined, path, rules),
          ...(this.#table.reaches(type)
            ? this.struct(inner, isObject(old) ? old : undefined, type, path)
            : []),
        ];
      }
      case "list":
        return Array.isArray(value)
          ? this.#items(value, { old, path, type: type.item }, rules)
          : [];
      case "map":
        if (!isObject(value) || !this.#table.reaches(type.value)) return [];
        return Object.keys(value).flatMap((key) =>
          this.#field({
            value: value[key],
            old: isObject(old) ? getOwn(old, key) : undefined,
            path: item(path, key),
            type: type.value,
            isPointer: false,
          }, [])
        );
      default:
        return [];
    }
  }

  #items(
    items: readonly Json[],
    { old, path, type }: Pick<Place, "old" | "path" | "type">,
    rules: readonly Rule[],
  ): DeclaredError[] {
    const each = rules.filter(({ name }) => name === "eachVal").map(({ value }) =>
      parseRule(value)
    );
    if (each.length === 0 && !this.#table.reaches(type)) return [];
    const keyOf = identityOf(rules);
    const before = Array.isArray(old) && keyOf !== undefined
      ? new Map(old.map((one) => [keyOf(one), one]))
      : undefined;
    return items.flatMap((value, index) => {
      const known = keyOf === undefined ? undefined : before?.get(keyOf(value));
      if (this.#isUpdate && known !== undefined && jsonEqual(known, value)) return [];
      return this.#field(
        { value, old: known, path: item(path, index), type, isPointer: false },
        each,
      );
    });
  }

  #subfieldErrors(
    value: JsonObject,
    old: JsonObject | undefined,
    path: string,
    rules: readonly Rule[],
  ): DeclaredError[] {
    const names = new Set(
      rules.filter(({ name }) => name === "subfield").map((one) => one.condition),
    );
    return [...names].flatMap((name) => {
      const [own, before] = [getOwn(value, name), old && getOwn(old, name)];
      if (this.#isUpdate && jsonEqual(own ?? null, before ?? null)) return [];
      return this.#field(
        {
          value: own,
          old: before,
          path: child(path, name),
          type: { kind: "scalar", name: "string" },
          isPointer: false,
        },
        rules.filter((one) => one.condition === name).map((one) => parseRule(one.value)),
      );
    });
  }

  #unionErrors(
    value: JsonObject,
    old: JsonObject | undefined,
    rules: FieldRules,
    path: string,
  ): DeclaredError[] {
    const members = [...rules].filter(([, own]) => own.some(({ name }) => name === "unionMember"))
      .map(([name]) => name);
    if (members.length === 0) return [];
    const setIn = (object: JsonObject) => members.filter((name) => isGiven(getOwn(object, name)));
    const set = setIn(value);
    if (this.#isUpdate && old !== undefined && jsonEqual(set, setIn(old))) return [];
    if (set.length === 1) return [];
    const all = members.map((name) => `\`${name}\``).join(", ");
    return [of(
      "union",
      set.length === 0
        ? invalidValue(path, "", `must specify one of: ${all}`)
        : invalidValue(path, `{${set.join(", ")}}`, `must specify exactly one of: ${all}`),
    )];
  }

  /** Returns the errors of fields that a discriminator requires or forbids. */
  #modeErrors(
    value: JsonObject,
    old: JsonObject | undefined,
    rules: FieldRules,
    { type, path }: { readonly type: StructType; readonly path: string },
  ): DeclaredError[] {
    const named = ([, own]: [string, readonly Rule[]]) =>
      own.some(({ name }) => name === "modeDiscriminator");
    const mode = [...rules].find(named)?.[0];
    if (mode === undefined) return [];
    return [...rules].flatMap(([name, own]) => {
      const modes = own.filter((rule) => rule.name === "ifMode");
      if (modes.length === 0) return [];
      const place = placeOf(type.fields.get(name)!, value, old, path);
      const isOld = old !== undefined && isSame(place) &&
        (getOwn(value, mode) ?? "") === (getOwn(old, mode) ?? "");
      if (this.#isUpdate && isOld) return [];
      const chosen = modes.find(({ condition }) => condition === (getOwn(value, mode) ?? ""));
      const rule = parseRule(chosen?.value ?? "forbidden");
      return this.#firstErrors(place, rule);
    });
  }
}

function of(rule: string, error: FieldError): DeclaredError {
  return { ...error, rule };
}

function tooManyCharacters(path: string, limit: string): FieldError {
  const { reason, field } = tooLong(path, Number(limit));
  return { reason, field, message: `Too long: may not be more than ${limit} characters` };
}

function placeOf(
  { name, type, presence }: Field,
  value: JsonObject,
  old: JsonObject | undefined,
  path: string,
): Place {
  return {
    value: getOwn(value, name),
    old: old && getOwn(old, name),
    path: path === "" ? name : child(path, name),
    type,
    isPointer: presence === "given" && (type.kind === "scalar" || type.kind === "struct"),
  };
}

function isSame({ value, old }: Place): boolean {
  return jsonEqual(value ?? null, old ?? null);
}

/** Reports whether Go's value is the zero value, or nil if it is a pointer. */
function isAbsent({ value, isPointer }: Pick<Place, "value" | "isPointer">): boolean {
  return isPointer ? value === undefined || value === null : !isGiven(value) || value === 0 ||
    value === "" || value === false;
}

/** Reports whether a value is there, and not an empty list or object. */
function isGiven(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

function updateErrors({ value, old, path, isPointer }: Place, constraint: string): DeclaredError[] {
  const [isSet, wasSet] = [value, old].map((one) => !isAbsent({ value: one, isPointer }));
  const refuse = (reason: string) => [of("update", invalidValue(path, null, reason))];
  if (constraint === "NoSet" && isSet && !wasSet) return refuse("field cannot be set once created");
  if (constraint === "NoUnset" && !isSet && wasSet) {
    return refuse("field cannot be cleared once set");
  }
  if (constraint === "NoModify" && isSet && wasSet) {
    return refuse("field cannot be modified once set");
  }
  return [];
}

/** Returns the function that identifies the items of a list; undefined if they have no identity. */
function identityOf(rules: readonly Rule[]): ((one: Json) => string) | undefined {
  const kinds = rules.filter(({ name }) => name === "listType" || name === "unique");
  if (kinds.some(({ value }) => value === "map")) {
    const keys = rules.filter(({ name }) => name === "listMapKey").map(({ value }) => value);
    return (one) => jsonKey(keys.map((key) => isObject(one) ? getOwn(one, key) ?? null : null));
  }
  return kinds.some(({ value }) => value === "set") ? jsonKey : undefined;
}
