import type { StructTable } from "../field_tables.ts";

/** Events, Leases, RBAC, PodDisruptionBudgets and access reviews. */
export const GROUPS: StructTable = {
  "events.Event": `
    kind string; apiVersion string; metadata ObjectMeta!; eventTime microTime!;
    series events.EventSeries?; reportingController string; reportingInstance string; action string;
    reason string; regarding ObjectReference!; related ObjectReference?; note string; type string;
    deprecatedSource EventSource!; deprecatedFirstTimestamp time!; deprecatedLastTimestamp time!;
    deprecatedCount int32
  `,
  "events.EventSeries": "count int32!; lastObservedTime microTime!",
  Lease: "kind string; apiVersion string; metadata ObjectMeta!; spec LeaseSpec!",
  LeaseSpec: `
    holderIdentity string?; leaseDurationSeconds int32?; acquireTime microTime?;
    renewTime microTime?; leaseTransitions int32?; strategy string?; preferredHolder string?
  `,
  Role: "kind string; apiVersion string; metadata ObjectMeta!; rules []PolicyRule!",
  ClusterRole: `
    kind string; apiVersion string; metadata ObjectMeta!; rules []PolicyRule!;
    aggregationRule AggregationRule?
  `,
  RoleBinding: `
    kind string; apiVersion string; metadata ObjectMeta!; subjects []Subject; roleRef RoleRef!
  `,
  ClusterRoleBinding: `
    kind string; apiVersion string; metadata ObjectMeta!; subjects []Subject; roleRef RoleRef!
  `,
  PolicyRule: `
    verbs []string!; apiGroups []string; resources []string; resourceNames []string;
    nonResourceURLs []string
  `,
  AggregationRule: "clusterRoleSelectors []LabelSelector",
  Subject: "@atomic; kind string!; apiGroup string; name string!; namespace string",
  RoleRef: "@atomic; apiGroup string!; kind string!; name string!",
  PodDisruptionBudget: `
    kind string; apiVersion string; metadata ObjectMeta!; spec PodDisruptionBudgetSpec!;
    status PodDisruptionBudgetStatus!
  `,
  Eviction: "kind string; apiVersion string; metadata ObjectMeta!; deleteOptions DeleteOptions?",
  PodDisruptionBudgetSpec: `
    minAvailable intOrString?; selector LabelSelector?; maxUnavailable intOrString?;
    unhealthyPodEvictionPolicy string?
  `,
  PodDisruptionBudgetStatus: `
    observedGeneration int64; disruptedPods {}time; disruptionsAllowed int32!;
    currentHealthy int32!; desiredHealthy int32!; expectedPods int32!;
    conditions []Condition key=type
  `,
  SelfSubjectAccessReview: `
    kind string; apiVersion string; metadata ObjectMeta!; spec SelfSubjectAccessReviewSpec!;
    status SubjectAccessReviewStatus!
  `,
  SubjectAccessReview: `
    kind string; apiVersion string; metadata ObjectMeta!; spec SubjectAccessReviewSpec!;
    status SubjectAccessReviewStatus!
  `,
  SelfSubjectRulesReview: `
    kind string; apiVersion string; metadata ObjectMeta!; spec SelfSubjectRulesReviewSpec!;
    status SubjectRulesReviewStatus!
  `,
  SelfSubjectReview: `
    kind string; apiVersion string; metadata ObjectMeta!; status SelfSubjectReviewStatus!
  `,
  SelfSubjectAccessReviewSpec: `
    resourceAttributes ResourceAttributes?; nonResourceAttributes NonResourceAttributes?
  `,
  SubjectAccessReviewStatus: "allowed bool!; denied bool; reason string; evaluationError string",
  SubjectAccessReviewSpec: `
    resourceAttributes ResourceAttributes?; nonResourceAttributes NonResourceAttributes?;
    user string; groups []string; extra {}[]string; uid string
  `,
  SelfSubjectRulesReviewSpec: "namespace string",
  SubjectRulesReviewStatus: `
    resourceRules []ResourceRule!; nonResourceRules []NonResourceRule!; incomplete bool!;
    evaluationError string
  `,
  SelfSubjectReviewStatus: "userInfo UserInfo!",
  ResourceAttributes: `
    namespace string; verb string; group string; version string; resource string;
    subresource string; name string; fieldSelector FieldSelectorAttributes?;
    labelSelector LabelSelectorAttributes?
  `,
  NonResourceAttributes: "path string; verb string",
  ResourceRule: "verbs []string!; apiGroups []string; resources []string; resourceNames []string",
  NonResourceRule: "verbs []string!; nonResourceURLs []string",
  UserInfo: "username string; uid string; groups []string; extra {}[]string",
  FieldSelectorAttributes: "rawSelector string; requirements []FieldSelectorRequirement",
  LabelSelectorAttributes: "rawSelector string; requirements []LabelSelectorRequirement",
  FieldSelectorRequirement: "key string!; operator string!; values []string",
};
