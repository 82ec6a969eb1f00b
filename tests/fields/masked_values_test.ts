import { assert, assertEquals } from "@std/assert";
import { maskedValue } from "../../src/fields/mod.ts";

const VALUE = "hunter2";

Deno.test("maskedValue() masks credentials in texts, arguments, nested objects and embedded Secrets", () => {
  const values: [unknown, string?][] = [
    [{ spec: { stored: VALUE }, value: VALUE }, "secrets.vault.example.com"],
    [{ data: { "config.json": `{"password": "${VALUE}"}` } }],
    [{ data: { "config.yaml": `user: a\napi_key : '${VALUE}'` } }],
    [{ data: { "a.env": `AWS_SECRET_ACCESS_KEY=${VALUE}` } }],
    [{ data: { "tls.key": `-----BEGIN RSA PRIVATE KEY-----\n${VALUE}` } }],
    [{ data: { dsn: `postgres://app:${VALUE}@db:5432/app` } }],
    [{ data: { dsn: `${"x".repeat(480)} postgres://app:${VALUE}${"y".repeat(60)}@db:5432/app` } }],
    [{ data: { header: `Authorization: Bearer ${VALUE}.abcdef` } }],
    [{ data: { jwt: `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${VALUE}` } }],
    [{ args: ["--password", VALUE, "--user", "a"] }],
    [{ spec: { credentials: { user: "a", key: VALUE, list: [VALUE] } } }],
    [{ items: [{ kind: "Secret", metadata: { name: "a" }, data: { plain: VALUE } }] }],
    [{ spec: { template: { stringData: { plain: VALUE } } } }],
    [{ users: [{ name: "a", user: { "client-key-data": VALUE } }] }],
    [[{
      op: "add",
      path: "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",
      value: VALUE,
    }]],
  ];
  for (const [value, resource = "configmaps"] of values) {
    const text = JSON.stringify(maskedValue(value, resource));
    assert(!text.includes(VALUE), text);
    assert(text.includes("•••"), text);
  }
});

Deno.test("maskedValue() keeps what only refers to credentials", () => {
  const value = {
    spec: {
      serviceAccountName: "a",
      imagePullSecrets: [{ name: "registry" }],
      volumes: [
        { name: "a", secret: { secretName: "db", items: [{ key: "password", path: "file" }] } },
        {
          name: "b",
          projected: { sources: [{ serviceAccountToken: { path: "t", audience: "b" } }] },
        },
      ],
      env: [{ name: "X", valueFrom: { secretKeyRef: { name: "db", key: "password" } } }],
      privateKey: { algorithm: "RSA", size: 2048 },
      args: ["--token-file", "/var/run/token", "--color", "red"],
      ref: { kind: "Secret", name: "db" },
    },
    status: { message: 'secrets "db" not found', url: "https://example.com:8443/a@b" },
  };
  assertEquals(maskedValue(value, "deployments.apps"), value);
});

Deno.test("maskedValue() keeps members with names of prototypes", () => {
  const value = JSON.parse('{"__proto__":{"a":"b"},"constructor":"c"}');
  assertEquals(JSON.stringify(maskedValue(value, "configmaps")), JSON.stringify(value));
});
