import { getArray, getObject, type JsonObject } from "../../../values/mod.ts";
import {
  AGE,
  column,
  fillPointer,
  NAME,
  named,
  objects,
  selectorText,
  since,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { policyWarnings, validateNetworkPolicy } from "./network_policy_validation.ts";

/** NetworkPolicies. */
export const NETWORK_POLICY: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "networkpolicies",
  "NetworkPolicy",
  {
    shortNames: ["netpol"],
    counts: [["spec"]],
    defaults: defaultPolicy,
    warnings: policyWarnings,
    names: "subdomain",
    wholeFirst: true,
    validate: validateNetworkPolicy,
    validateChange: (next, _, release) => validateNetworkPolicy(next, release),
    table: {
      columns: [
        NAME,
        since(
          column(
            "Pod-Selector",
            "Selects the pods to which this NetworkPolicy object applies.  The array of ingress rules is applied to any pods selected by this field. Multiple network policies can select the same set of pods.  In this case, the ingress rules for each are combined additively. This field is NOT optional and follows standard label selector semantics. An empty podSelector matches all pods in this namespace.",
          ),
          "1.36",
          "podSelector selects the pods to which this NetworkPolicy object applies. The array of rules is applied to any pods selected by this field. An empty selector matches all pods in the policy's namespace. Multiple network policies can select the same set of pods. In this case, the ingress rules for each are combined additively. This field is optional. If it is not specified, it defaults to an empty selector.",
        ),
        AGE,
      ],
      row: named((policy) => [selectorText(getObject(policy, "spec", "podSelector")) || "<none>"]),
    },
  },
  { since: "1.36", validatesAgain: false },
);

function defaultPolicy(policy: JsonObject): void {
  const spec = getObject(policy, "spec");
  const rules = [...objects(spec, "ingress"), ...objects(spec, "egress")];
  for (const rule of rules) {
    for (const port of objects(rule, "ports")) fillPointer(port, "protocol", "TCP");
  }
  if (getArray(spec, "policyTypes").length > 0) return;
  const egress = getArray(spec, "egress").length > 0;
  spec["policyTypes"] = egress ? ["Ingress", "Egress"] : ["Ingress"];
}
