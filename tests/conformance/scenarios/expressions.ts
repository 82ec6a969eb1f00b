import { del, get, jsonPatch, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-expressions";
const THINGS = grouped("suite.example.com/v1", NS, "rulings");
const CONFIGS = core(NS, "configmaps");
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

const TEXT = { type: "string" };
const SHORT = { ...TEXT, maxLength: 3 };
const WHOLE = { type: "integer" };

const rule = (text: string, rest: object = {}) => ({ rule: text, ...rest });

const ruled = (schema: object, ...rules: object[]) => ({
  ...schema,
  "x-kubernetes-validations": rules,
});

const defined = (spec: object, plural = "attempts", kind = "Attempt") =>
  definition(plural, kind, {
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    }],
  });

/** Tries a definition whose schema of `spec` is wrong. */
const attempt = (spec: object): RequestStep => post(`${DEFINITIONS}?dryRun=All`, defined(spec));

/** Tries a definition with rules about these fields. */
const tried = (...rules: string[]): RequestStep =>
  attempt(ruled({
    type: "object",
    properties: {
      a: TEXT,
      n: WHOLE,
      map: { type: "object", maxProperties: 100, additionalProperties: SHORT },
      wide: { type: "object", maxProperties: 100, additionalProperties: TEXT },
      many: { type: "array", maxItems: 4000, items: WHOLE },
      more: { type: "array", maxItems: 4000, items: WHOLE },
      big: { type: "array", maxItems: 100, items: TEXT },
      shorts: { type: "array", maxItems: 100, items: SHORT },
    },
  }, ...rules.map((text) => rule(text))));

const thing = (name: string, spec: object) => ({
  apiVersion: "suite.example.com/v1",
  kind: "Ruling",
  metadata: { name },
  spec,
});

const checked = (spec: object): RequestStep => post(`${THINGS}?dryRun=All`, thing("x", spec));

/** Rules without variables. The errors of one object show the violated rules. */
const CONSTANT = [
  "has(dyn(null).a) || has(dyn(1).a) || has({'a': 1}.b)",
  "has(dyn([1]).a)",
  "has(dyn(duration('1s')).a) || dyn(duration('1s')).?a.hasValue()",
  "dyn(null).a == 1",
  "dyn(null).?a.hasValue() || dyn(5)[?'a'].hasValue()",
  "optional.of(dyn(null)).a.hasValue()",
  "dyn(null)['a'] == 1",
  "dyn([1])['a'] == 1",
  "'''''' == 'x'",
  '""" """ == "x"',
  "r'\\n' == 'n' || '''a''b''' == 'ab'",
];

/** Rules in CEL: how they are compiled, what they cost, and what they answer. */
export const expressions: StepScenario = {
  name: "expressions",
  steps: [
    namespaced(NS),
    tried("self.a", "self.n + 'a' == 'b'", "self.none == 1"),
    // Costs
    tried("self.map.all(k, k.contains(k))", "self.map.all(k, v, v.contains(v))"),
    tried("self.wide.all(k, k.contains(k))", "self.wide.all(k, v, k.contains(k))"),
    tried("self.wide.all(k, v, v.contains(v))", "self.wide.all(k, self.wide[k].contains('x'))"),
    tried("self.wide.map(k, k).all(k, k.contains(k))", "self.big.map(x, x).all(x, x.contains(x))"),
    tried("self.shorts.all(x, x.contains(x)) && self.shorts.all(i, x, x.contains(x))"),
    tried("self.big.all(x, x.contains(x))"),
    tried("self.big.all(i, x, i > 5)", "self.big.all(i, x, x.contains(x))"),
    tried("sets.contains(self.many, self.more)"),
    tried("sets.equivalent(self.many, self.more)"),
    tried("sets.intersects(self.many, [1])", "self.many.distinct().size() > 1"),
    tried("cel.bind(x, self.a, x.contains(x))", "cel.bind(x, self.big, x.all(y, y.contains(y)))"),
    attempt(
      ruled(WHOLE, rule("self < 10", { messageExpression: "'is ' + string(self) + ', not less'" })),
    ),
    // Extensions that exclude each other
    attempt({
      type: "object",
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-embedded-resource": true,
    }),
    attempt({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      additionalProperties: TEXT,
    }),
    // The results of the rules
    post(
      DEFINITIONS,
      defined(
        ruled(
          {
            type: "object",
            properties: {
              a: ruled(
                { ...TEXT, maxLength: 20 },
                rule("self.startsWith('a')", {
                  message: "starts with a",
                  reason: "FieldValueForbidden",
                }),
              ),
              n: ruled(
                WHOLE,
                rule("self < 10", { messageExpression: "self > 100 ? 'far above' : 'above'" }),
                rule("self != 7"),
              ),
              cost: { ...TEXT, maxLength: 20 },
              list: {
                type: "array",
                items: { type: "object", properties: { a: { ...TEXT, nullable: true }, b: TEXT } },
              },
              map: { type: "object", properties: { a: { ...TEXT, nullable: true } } },
              any: { type: "object", additionalProperties: true },
              constant: ruled({ type: "boolean" }, ...CONSTANT.map((text) => rule(text))),
            },
          },
          rule("!has(self.n) || self.n > 0", {
            reason: "FieldValueDuplicate",
            fieldPath: ".n",
            messageExpression: "self.n < -5 ? 'far below' : 'below'",
          }),
          rule("!has(self.cost) || int(self.cost) / 0 == 1"),
        ),
        "rulings",
        "Ruling",
      ),
      { unseen: true },
    ),
    get(THINGS, { whileStatus: [404, 429, 503], unseen: true }),
    checked({ a: "b" }),
    checked({ n: 7 }),
    checked({ n: 112 }),
    checked({ n: -9 }),
    checked({ cost: "x" }),
    checked({ cost: "5" }),
    checked({ constant: true }),
    // Nulls in patches
    post(THINGS, thing("t", { list: [{ b: "x", a: null }], map: { a: null } })),
    merge(`${THINGS}/t`, { spec: { list: [{ b: "y", a: null }, {}] } }),
    jsonPatch(`${THINGS}/t`, [{ op: "add", path: "/spec/list/-", value: { a: null } }]),
    merge(`${THINGS}/t`, { spec: { map: [{ b: "y", a: null }] } }),
    merge(`${THINGS}/t`, { spec: { list: { b: "y", a: null } } }),
    merge(`${THINGS}/t`, { spec: { list: null, map: { a: null } } }),
    merge(`${THINGS}/t`, { spec: { list: [[{ b: "y", a: null }], null] } }),
    merge(`${THINGS}/t`, { spec: { list: [{ b: "z", a: null }] } }),
    merge(`${THINGS}/t`, { spec: { any: { a: 1, b: { c: 1 }, d: [{ e: 1 }, [{ f: 1 }], 2] } } }),
    checked({ a: [{ b: 1 }] }),
    // A policy
    post(POLICIES, {
      metadata: { name: "suite-deny" },
      spec: {
        matchConstraints: {
          resourceRules: [{
            apiGroups: [""],
            apiVersions: ["v1"],
            resources: ["configmaps"],
            operations: ["*"],
          }],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": NS } },
        },
        validations: [
          {
            expression: "!has(object.data) || !('no' in object.data)",
            message: "no is not allowed",
          },
          {
            expression: "!has(object.data) || object.data.size() < 3",
            messageExpression: "'has ' + string(object.data.size())",
            reason: "RequestEntityTooLarge",
          },
          {
            expression:
              "request.operation != 'UPDATE' || !has(object.data.fixed) || object.data.fixed == oldObject.data.fixed",
            reason: "Forbidden",
          },
          {
            expression: "request.operation != 'DELETE' || oldObject.metadata.name != 'kept'",
            message: "kept",
          },
        ],
        matchConditions: [{ name: "named", expression: "request.name != 'exempt'" }],
      },
    }, { unseen: true }),
    post(BINDINGS, {
      metadata: { name: "suite-deny" },
      spec: { policyName: "suite-deny", validationActions: ["Deny"] },
    }, { unseen: true }),
    post(`${CONFIGS}?dryRun=All`, configMap("a", { no: "1" }), { whileStatus: [201] }),
    post(CONFIGS, configMap("a", { a: "1", b: "2", c: "3" })),
    post(CONFIGS, configMap("exempt", { no: "1" }), { unseen: true }),
    post(CONFIGS, { metadata: { generateName: "gen-" }, data: { no: "1" } }),
    post(CONFIGS, configMap("kept", { fixed: "1" }), { unseen: true }),
    merge(`${CONFIGS}/kept`, { data: { fixed: "2" } }),
    del(`${CONFIGS}/kept`),
    del(CONFIGS),
    del(`${BINDINGS}/suite-deny`, undefined, { unseen: true }),
  ],
};
