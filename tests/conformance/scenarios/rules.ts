/**
 * Requests about the rules of definitions: wrong rules, and rules that objects break.
 *
 * @module
 */

import { merge, post, SETTLE_MS, type StepScenario } from "../step.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const GROUP = "/apis/rules.example.com/v1";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const str = (m = 10) => ({ type: "string", maxLength: m }), X = "x-kubernetes-validations";
const obj = (properties: Loose, rules: Loose[] = [], more = {}) => ({
  type: "object",
  properties,
  ...(rules.length ? { [X]: rules } : {}),
  ...more,
});
const bads: Loose[] = [
  obj({ a: str() }, [{ rule: "" }]),
  obj({ a: str() }, [{ rule: "true", message: " " }]),
  obj({ a: str() }, [{ rule: "true", message: "a\nb" }]),
  obj({ a: str() }, [{ rule: "true\n&& true" }]),
  obj({ a: str() }, [{ rule: "true", messageExpression: " " }]),
  obj({ a: str() }, [{ rule: "true", messageExpression: "1" }]),
  obj({ a: str() }, [{ rule: "true", messageExpression: "x" }]),
  obj({ a: str() }, [{ rule: "true", reason: "Nope" }]),
  obj({ a: str() }, [{ rule: "true", fieldPath: ".b" }]),
  obj({ a: str() }, [{ rule: "true", fieldPath: "a" }]),
  obj({ a: str() }, [{ rule: "true", fieldPath: " " }]),
  obj({ a: str() }, [{ rule: "true", optionalOldSelf: true }]),
  obj({ l: { type: "array", items: { ...str(), [X]: [{ rule: "self == oldSelf" }] } } }),
  obj({ l: { type: "array", maxItems: 3, items: { ...str(), [X]: [{ rule: "self == 'a'" }] } } }),
  obj({ l: { type: "array", items: { type: "string" } } }, [{
    rule: "self.l.all(x, self.l.all(y, x == y))",
  }]),
  obj({ l: { type: "array", items: { type: "string" } } }, [{
    rule: "self.l.all(x, x.contains('a'))",
  }]),
  obj({ s: { type: "string" } }, [{ rule: "self.s.matches('^a.*b$')" }]),
  obj({
    m: {
      type: "object",
      additionalProperties: { type: "string", [X]: [{ rule: "self.contains('a')" }] },
    },
  }),
  obj({
    l: {
      type: "array",
      maxItems: 100,
      items: obj({
        n: {
          type: "array",
          maxItems: 100,
          items: { type: "string", maxLength: 1000, [X]: [{ rule: "self.matches('a+b+c+')" }] },
        },
      }),
    },
  }),
  obj({ l: { type: "array", items: { type: "integer" } } }, [{
    rule: "self.l.isSorted() && self.l.sum() < 10",
  }]),
  obj({ u: { type: "string" } }, [{
    rule: "url(self.u).getHost() == self.u && self.u.split(',').map(x, x + x).join(',').size() < 3",
  }]),
  obj({ l: { type: "array", items: { type: "string" } } }, [{
    rule:
      "sets.contains(self.l, self.l) && self.l.sort() == self.l && self.l.distinct().size() == 1",
  }]),
  { ...obj({}), "x-kubernetes-preserve-unknown-fields": true, [X]: [{ rule: "self.a == 1" }] },
  obj({ a: { "x-kubernetes-preserve-unknown-fields": true } }, [{ rule: "has(self.a)" }]),
  obj({
    a: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      [X]: [{ rule: "self.kind == 'A' && self.metadata.name == 'x'" }],
    },
  }),
  obj({ a: { type: "integer", [X]: [{ rule: "self > 1 &&" }, { rule: "self.x" }] } }),
  obj({ a: str(), b: obj({ c: str() }, [{ rule: "self.d == 1" }]) }, [{
    rule: "self.b.c == oldSelf.x",
  }]),
];

const cases: [Loose, Loose, Loose[], Loose?][] = [
  [
    obj({ a: str(), n: { type: "integer" } }, [
      { rule: "self.n < 5", message: "n too big", reason: "FieldValueForbidden", fieldPath: ".n" },
      {
        rule: "self.a != 'x'",
        reason: "FieldValueRequired",
        messageExpression: "'a is ' + self.a",
      },
      { rule: "self.a != 'x'", reason: "FieldValueDuplicate" },
      { rule: "self.a == 'zz' || self.n / 0 > 1", messageExpression: "''" },
      { rule: "self.n != 7", messageExpression: "string(1/0)", message: " fallback " },
    ]),
    { spec: { a: "x", n: 7 } },
    [{ spec: { a: "x", n: 8 } }],
  ],
  [
    obj({
      a: { ...str(), [X]: [{ rule: "self == oldSelf", message: "immutable" }] },
      o: {
        ...str(),
        [X]: [{ rule: "!oldSelf.hasValue() || oldSelf.value() == self", optionalOldSelf: true }],
      },
    }),
    { spec: { a: "x", o: "y" } },
    [{ spec: { a: "y" } }, { spec: { o: "z" } }, { spec: { a: null } }, {
      metadata: { labels: { a: "b" } },
    }],
  ],
  [
    obj({
      l: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["n"],
        items: obj(
          {
            n: str(),
            v: { type: "integer", [X]: [{ rule: "self >= oldSelf" }, { rule: "self != 3" }] },
          },
          [{ rule: "self.v < 10" }],
          { required: ["n"] },
        ),
      },
      m: {
        type: "object",
        maxProperties: 3,
        additionalProperties: { type: "string", maxLength: 5, [X]: [{ rule: "self == 'ok'" }] },
      },
    }, [{ rule: "self.l.all(x, oldSelf.l.exists(y, y.n == x.n))" }]),
    { spec: { l: [{ n: "a", v: 1 }, { n: "b", v: 2 }], m: { k: "ok" } } },
    [{ spec: { l: [{ n: "b", v: 1 }, { n: "a", v: 3 }] } }, { spec: { l: [{ n: "c", v: 11 }] } }, {
      spec: { m: { k: "no", j: "ok" } },
    }],
  ],
  [
    obj({
      a: { "x-kubernetes-int-or-string": true },
      n: { type: "integer", nullable: true, [X]: [{ rule: "self > 1" }] },
      d: { type: "integer", default: 1 },
    }, [{ rule: "self.a > 1" }, { rule: "type(self.a) == int ? self.a > 3 : self.a == 'x'" }, {
      rule: "self.d == 2",
    }]),
    { spec: { a: 5, n: null } },
    [{ spec: { a: "x" } }],
    undefined,
  ],
  [obj({ a: str() }), { spec: { a: "b" }, status: { p: "x" } }, [], {
    root: {
      [X]: [{ rule: "self.metadata.name.startsWith('t')" }, {
        rule: "!has(self.status) || self.status.p != 'bad'",
        fieldPath: ".status.p",
      }],
    },
    props: { status: obj({ p: str() }, [{ rule: "self.p != 'worse'" }]) },
    version: { subresources: { status: {} } },
  }],
  [
    obj({ a: str() }, [], {
      allOf: [{
        [X]: [{ rule: "self.a == 'q'" }],
        properties: { a: { [X]: [{ rule: "self != 'x'" }] } },
      }],
    }),
    { spec: { a: "x" } },
    [],
  ],
  [obj({ a: { type: "string", maxLength: 3, pattern: "^a" } }, [{ rule: "self.a == 'b'" }]), {
    spec: { a: "toolong" },
  }, [{ spec: { a: 5 } }, { spec: { a: "bb" } }]],
  [
    obj(
      { l: { type: "array", maxItems: 200, items: { type: "integer" } } },
      [{ rule: "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))" }, {
        rule: "self.l.size() == 0",
      }].slice(0, 2),
    ),
    { spec: { l: Array.from({ length: 190 }, (_, i) => i) } },
    [],
  ],
];

function definition(number: number, spec: Loose, extra: Loose = {}): Loose {
  const [plural, kind] = [`rs${number}`, `R${number}`];
  const openAPIV3Schema = { type: "object", ...extra.root, properties: { spec, ...extra.props } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.rules.example.com` },
    spec: {
      group: "rules.example.com",
      scope: "Cluster",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        ...extra.version,
        schema: { openAPIV3Schema },
      }],
    },
  };
}

/** Wrong rules of definitions, and rules that objects break. */
export const rules: StepScenario = {
  name: "rules",
  setting: {},
  steps: [
    ...bads.map((spec) => post(`${DEFINITIONS}?dryRun=All`, definition(0, spec))),
    ...cases.flatMap(([spec, object, patches, extra], index) => {
      const number = index + 1;
      const path = `${GROUP}/rs${number}`;
      const make = (name: string) =>
        post(path, {
          apiVersion: "rules.example.com/v1",
          kind: `R${number}`,
          metadata: { name },
          ...object,
        });
      const phases = extra === undefined ? [] : ["bad", "worse", 3];
      return [
        post(DEFINITIONS, definition(number, spec, extra), { settleMs: SETTLE_MS }),
        make("bad"),
        make("tip"),
        ...patches.map((one) => merge(`${path}/tip`, one)),
        ...phases.map((p) => merge(`${path}/tip/status`, { status: { p } })),
      ];
    }),
  ],
};
