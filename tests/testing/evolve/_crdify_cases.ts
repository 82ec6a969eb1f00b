/** Changes of a property, with the verdict that the tests of crdify (kubernetes-sigs/crdify) expect by default. */

/** A change: its name, the schema before and after, and whether it is incompatible. */
export type PropertyCase = readonly [
  name: string,
  before: object,
  after: object,
  isFlagged: boolean,
];

/** The changes of a limit. */
function limit(keyword: string, isUpper: boolean): readonly PropertyCase[] {
  const at = (value: number) => ({ [keyword]: value });
  return [
    [`the same ${keyword}`, at(10), at(10), false],
    [`a new ${keyword}`, {}, at(10), true],
    [`a smaller ${keyword}`, at(20), at(10), isUpper],
    [`a larger ${keyword}`, at(10), at(20), !isUpper],
  ];
}

const integer = { type: "integer" };
const string = { type: "string" };
const immutable = { rule: "self == oldSelf", message: "field is immutable" };
const filled = { rule: "self.size() > 0", message: "must not be empty" };
const lower = { rule: "self.matches('[a-z]+')", message: "must be lowercase" };
const rules = (...list: object[]) => ({ "x-kubernetes-validations": list });

export const PROPERTY_CASES: readonly PropertyCase[] = [
  ["the same type", string, string, false],
  ["another type", string, integer, true],
  ["another id", { id: "foo" }, { id: "bar" }, false],

  ["the same enum", { enum: ["foo"] }, { enum: ["foo"] }, false],
  ["a new enum", { enum: [] }, { enum: ["foo"] }, true],
  ["a further value of an enum", { enum: ["foo"] }, { enum: ["foo", "bar"] }, true],
  ["a value less in an enum", { enum: ["foo", "bar"] }, { enum: ["bar"] }, true],
  ["another id beside an enum", { id: "foo", enum: ["foo"] }, { id: "bar", enum: ["foo"] }, false],

  ["the same default", { default: "foo" }, { default: "foo" }, false],
  ["a new default", {}, { default: "foo" }, true],
  ["no default any more", { default: "foo" }, {}, true],
  ["another default", { default: "foo" }, { default: "bar" }, true],

  ["the same required fields", { required: ["foo"] }, { required: ["foo"] }, false],
  ["a new required field", {}, { required: ["foo"] }, true],

  ["the same description", { description: "foo" }, { description: "foo" }, false],
  ["another description", { description: "foo" }, { description: "bar" }, true],
  [
    "another id beside a description",
    { id: "foo", description: "foo" },
    { id: "bar", description: "foo" },
    false,
  ],

  ["the same format", { format: "datetime" }, { format: "datetime" }, false],
  ["another format", { format: "datetime" }, { format: "isbn" }, true],

  ["the same pattern", { pattern: "^[a-z]+$" }, { pattern: "^[a-z]+$" }, false],
  ["a new pattern", {}, { pattern: "^[a-z]+$" }, true],
  ["another pattern", { pattern: "^[a-z]+$" }, { pattern: "^[A-Z]+$" }, true],
  ["no pattern any more", { pattern: "^[a-z]+$" }, {}, true],

  ["nullable as before", { nullable: true }, { nullable: true }, false],
  ["nullable now", { nullable: false }, { nullable: true }, true],
  ["no longer nullable", { nullable: true }, { nullable: false }, true],

  ...limit("maximum", true),
  ...limit("maxItems", true),
  ...limit("maxLength", true),
  ...limit("maxProperties", true),
  ...limit("minimum", false),
  ...limit("minItems", false),
  ...limit("minLength", false),
  ...limit("minProperties", false),

  [
    "a maximum that is excluded now",
    { maximum: 10, exclusiveMaximum: false },
    { maximum: 10, exclusiveMaximum: true },
    true,
  ],
  ["a maximum that is excluded now, without a word before", { maximum: 10 }, {
    maximum: 10,
    exclusiveMaximum: true,
  }, true],
  [
    "a maximum that is included now",
    { maximum: 10, exclusiveMaximum: true },
    { maximum: 10 },
    true,
  ],
  ["a maximum excluded as before", { maximum: 10, exclusiveMaximum: true }, {
    maximum: 10,
    exclusiveMaximum: true,
  }, false],

  ["a new oneOf", {}, { oneOf: [integer] }, true],
  ["an alternative less in oneOf", { oneOf: [integer, string] }, { oneOf: [integer] }, true],
  ["a further alternative in oneOf", { oneOf: [integer] }, { oneOf: [integer, string] }, true],
  ["oneOf in another order", { oneOf: [integer, string] }, { oneOf: [string, integer] }, false],

  ["the same anyOf", { anyOf: [integer] }, { anyOf: [integer] }, false],
  ["anyOf in another order", { anyOf: [integer, string] }, { anyOf: [string, integer] }, false],
  ["a new anyOf", {}, { anyOf: [integer] }, true],
  ["an alternative less in anyOf", { anyOf: [integer, string] }, { anyOf: [string] }, true],
  ["a further alternative in anyOf", { anyOf: [integer] }, { anyOf: [integer, string] }, false],
  ["another alternative in anyOf", { anyOf: [integer] }, { anyOf: [string] }, true],

  ["the same allOf", { allOf: [{ minLength: 1 }] }, { allOf: [{ minLength: 1 }] }, false],
  [
    "allOf in another order",
    { allOf: [{ minLength: 1 }, { maxLength: 100 }] },
    { allOf: [{ maxLength: 100 }, { minLength: 1 }] },
    false,
  ],
  ["allOf empty as before", { allOf: [] }, { allOf: [] }, false],
  ["a new allOf", { allOf: [] }, { allOf: [{ minLength: 1 }] }, true],
  ["a new allOf where there was none", {}, { allOf: [{ minLength: 1 }] }, true],
  [
    "a further part in allOf",
    { allOf: [{ minLength: 1 }] },
    { allOf: [{ minLength: 1 }, { maxLength: 100 }] },
    true,
  ],
  [
    "a part less in allOf",
    { allOf: [{ minLength: 1 }, { maxLength: 100 }] },
    { allOf: [{ minLength: 1 }] },
    true,
  ],
  ["another part in allOf", { allOf: [{ minLength: 1 }] }, { allOf: [{ minLength: 5 }] }, true],
  ["no allOf any more", { allOf: [{ minLength: 1 }] }, {}, true],

  ["a new not", string, { ...string, not: integer }, true],
  ["no not any more", { ...string, not: integer }, string, false],
  ["another not", { ...string, not: integer }, { ...string, not: { type: "number" } }, true],
  ["the same not", { ...string, not: integer }, { ...string, not: integer }, false],
  [
    "a not with another field",
    { not: { type: "object", properties: { foo: string } } },
    { not: { type: "object", properties: { bar: string } } },
    true,
  ],

  [
    "unique items now",
    { type: "array", uniqueItems: false },
    { type: "array", uniqueItems: true },
    true,
  ],
  ["items that may repeat now", { type: "array", uniqueItems: true }, {
    type: "array",
    uniqueItems: false,
  }, false],
  ["unique items as before", { type: "array", uniqueItems: true }, {
    type: "array",
    uniqueItems: true,
  }, false],

  ["the same rules", rules(immutable), rules(immutable), false],
  ["a new rule", {}, rules(immutable), true],
  ["no rules any more", rules(immutable), {}, true],
  ["a further rule", rules(immutable), rules(immutable, filled), true],
  ["a rule less", rules(immutable, filled), rules(immutable), true],
  ["another expression", rules(immutable), rules({ ...immutable, rule: "self != oldSelf" }), true],
  ["optionalOldSelf now", rules(immutable), rules({ ...immutable, optionalOldSelf: true }), true],
  [
    "no optionalOldSelf any more",
    rules({ ...immutable, optionalOldSelf: true }),
    rules(immutable),
    true,
  ],
  [
    "another optionalOldSelf",
    rules({ ...immutable, optionalOldSelf: true }),
    rules({ ...immutable, optionalOldSelf: false }),
    true,
  ],
  ["a new reason", rules(immutable), rules({ ...immutable, reason: "FieldValueForbidden" }), true],
  [
    "no reason any more",
    rules({ ...immutable, reason: "FieldValueForbidden" }),
    rules(immutable),
    true,
  ],
  [
    "another reason",
    rules({ ...immutable, reason: "FieldValueForbidden" }),
    rules({ ...immutable, reason: "FieldValueInvalid" }),
    true,
  ],
  ["another message", rules(immutable), rules({ ...immutable, message: "different" }), false],
  [
    "another messageExpression",
    rules({ ...immutable, messageExpression: "'a'" }),
    rules({ ...immutable, messageExpression: "'b'" }),
    false,
  ],
  [
    "another fieldPath",
    rules({ ...immutable, fieldPath: ".a" }),
    rules({ ...immutable, fieldPath: ".b" }),
    false,
  ],
  [
    "two rules with one expression",
    rules({ ...immutable, optionalOldSelf: true }, { ...immutable, optionalOldSelf: false }),
    rules({ ...immutable, optionalOldSelf: true }, { ...immutable, optionalOldSelf: false }),
    false,
  ],
  [
    "one of two rules with one expression less",
    rules({ ...immutable, optionalOldSelf: true }, { ...immutable, optionalOldSelf: false }),
    rules({ ...immutable, optionalOldSelf: true }),
    true,
  ],
  [
    "rules in another order",
    rules(filled, immutable, lower),
    rules(lower, immutable, filled),
    false,
  ],
  ["a rule that was there twice", rules(immutable, immutable), rules(immutable), false],
];
