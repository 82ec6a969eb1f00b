import type { StructTable } from "../field_tables.ts";

/** The configurations of admission webhooks. */
export const ADMISSION: StructTable = {
  MutatingWebhookConfiguration: `
    kind string; apiVersion string; metadata ObjectMeta!; webhooks []MutatingWebhook key=name
  `,
  ValidatingWebhookConfiguration: `
    kind string; apiVersion string; metadata ObjectMeta!; webhooks []ValidatingWebhook key=name
  `,
  MutatingWebhook: `
    name string!; clientConfig WebhookClientConfig!; rules []RuleWithOperations;
    failurePolicy string?; matchPolicy string?; namespaceSelector LabelSelector?;
    objectSelector LabelSelector?; sideEffects string!?; timeoutSeconds int32?;
    admissionReviewVersions []string!; reinvocationPolicy string?;
    matchConditions []MatchCondition key=name
  `,
  ValidatingWebhook: `
    name string!; clientConfig WebhookClientConfig!; rules []RuleWithOperations;
    failurePolicy string?; matchPolicy string?; namespaceSelector LabelSelector?;
    objectSelector LabelSelector?; sideEffects string!?; timeoutSeconds int32?;
    admissionReviewVersions []string!; matchConditions []MatchCondition key=name
  `,
  RuleWithOperations: `
    operations []string; apiGroups []string; apiVersions []string; resources []string; scope string?
  `,
  MatchCondition: "name string!; expression string!",
};
