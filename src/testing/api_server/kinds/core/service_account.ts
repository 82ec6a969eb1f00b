import { getObject, getOwn, getString, type JsonObject } from "../../../values/mod.ts";
import { AGE, NAME, named, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** ServiceAccounts. */
export const SERVICE_ACCOUNT: KindRecord = defineKind("v1", "serviceaccounts", "ServiceAccount", {
  shortNames: ["sa"],
  subresources: [{
    name: "token",
    hasTable: false,
    group: "authentication.k8s.io",
    version: "v1",
    kind: "TokenRequest",
    verbs: ["create"],
  }],
  names: "subdomain",
  deletion: { returnsObject: true },
  warnings: accountWarnings,
  prepareCreate: keepSecretNames,
  prepareUpdate: keepSecretNames,
  table: { columns: [NAME, AGE], row: named(() => []) },
});

/** Leaves only the names in the references to Secrets. */
function keepSecretNames(account: JsonObject): JsonObject {
  const secrets = objects(account, "secrets");
  if (secrets.length === 0) return account;
  return { ...account, secrets: secrets.map((one) => ({ name: getString(one, "name") })) };
}

const ENFORCES_SECRETS = "kubernetes.io/enforce-mountable-secrets";

function accountWarnings(account: JsonObject, old: JsonObject | undefined): string[] {
  const enforces = (one: JsonObject) =>
    getOwn(getObject(one, "metadata", "annotations"), ENFORCES_SECRETS) !== undefined;
  if (!enforces(account) || (old !== undefined && enforces(old))) return [];
  return [
    `metadata.annotations[${ENFORCES_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}
