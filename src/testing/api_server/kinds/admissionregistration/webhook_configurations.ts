import { getArray, getObject, getOwn, isObject, type JsonObject } from "../../../values/mod.ts";
import { AGE, column, fill, fillPointer, NAME, named, objects } from "../shared/mod.ts";
import type { KindRecord } from "../record/mod.ts";
import { admissionKind } from "./admission_kind.ts";
import { staticNameWarnings } from "./static_names.ts";
import { EXCLUDES_VIRTUAL, VIRTUAL_RESOURCES } from "./virtual_resources.ts";
import { validateWebhooks } from "./webhook_configuration.ts";

function webhookConfiguration(plural: string, kind: string): KindRecord {
  return admissionKind(plural, kind, {
    counts: [["webhooks"]],
    defaults: defaultWebhooks,
    validate: validateWebhooks,
    table: {
      columns: [
        NAME,
        column(
          "Webhooks",
          "Webhooks indicates the number of webhooks registered in this configuration",
          0,
          "integer",
        ),
        AGE,
      ],
      row: named((configuration) => [getArray(configuration, "webhooks").length]),
    },
  }, {
    ...EXCLUDES_VIRTUAL,
    warnings: (configuration, old, release) => [
      ...staticNameWarnings(configuration, old, release),
      ...objects(configuration, "webhooks").flatMap(ruleWarnings),
    ],
  });
}

/** MutatingWebhookConfigurations. */
export const MUTATING_WEBHOOK_CONFIGURATION: KindRecord = webhookConfiguration(
  "mutatingwebhookconfigurations",
  "MutatingWebhookConfiguration",
);

/** ValidatingWebhookConfigurations. */
export const VALIDATING_WEBHOOK_CONFIGURATION: KindRecord = webhookConfiguration(
  "validatingwebhookconfigurations",
  "ValidatingWebhookConfiguration",
);

function defaultWebhooks(configuration: JsonObject): void {
  const mutating = configuration["kind"] === "MutatingWebhookConfiguration";
  for (const webhook of objects(configuration, "webhooks")) {
    fillPointer(webhook, "failurePolicy", "Fail");
    fillPointer(webhook, "matchPolicy", "Equivalent");
    for (const selector of ["namespaceSelector", "objectSelector"]) {
      if (getOwn(webhook, selector) === undefined) webhook[selector] = {};
    }
    fill(webhook, "timeoutSeconds", 10);
    if (mutating) fillPointer(webhook, "reinvocationPolicy", "Never");
    for (const rule of objects(webhook, "rules")) fillPointer(rule, "scope", "*");
    const service = getOwn(getObject(webhook, "clientConfig"), "service");
    if (isObject(service)) fill(service, "port", 443);
  }
}

/** Returns the warnings for the rules of a webhook that name resources about which it is not asked. */
function ruleWarnings(webhook: JsonObject, index: number): string[] {
  return objects(webhook, "rules").flatMap((rule, at) => {
    const groups = getArray(rule, "apiGroups");
    const resources = getArray(rule, "resources");
    // A rule with a wildcard may mean other resources.
    if (groups.includes("*") || resources.includes("*")) return [];
    const names = groups.flatMap((group) => resources.map((resource) => `${resource}.${group}`));
    return [...new Set(names)].filter((name) => VIRTUAL_RESOURCES.has(name)).map((name) =>
      `webhooks[${index}].rules[${at}]: ${name} is excluded from admission webhooks; this rule will have no effect`
    );
  });
}
