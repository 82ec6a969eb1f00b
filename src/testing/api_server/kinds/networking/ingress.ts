import {
  type FieldError,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  item,
  type Json,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";
import { AGE, balancerIpWarnings, column, NAME, named, objects } from "../shared/mod.ts";
import { type ClusterView, defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { validateIngressPoint } from "../core/service/mod.ts";
import { validateIngress } from "./ingress_validation.ts";

/** Ingresses. */
export const INGRESS: KindRecord = defineKind("networking.k8s.io/v1", "ingresses", "Ingress", {
  storagePath: "ingress",
  shortNames: ["ing"],
  subresources: [STATUS],
  counts: [["spec"]],
  warnings: warningsOf,
  statusWarnings: balancerIpWarnings,
  names: "subdomain",
  admit: admitIngress,
  validatesAgain: false,
  validate: validateIngress,
  validateCreate: classErrors,
  validateChange: (next, _, release) => validateIngress(next, release),
  validateStatus: (ingress) =>
    objects(ingress, "status", "loadBalancer", "ingress").flatMap((point, index) =>
      validateIngressPoint(point, item("status.loadBalancer.ingress", index))
    ),
  table: {
    columns: [
      NAME,
      column(
        "Class",
        "The name of the IngressClass resource that should be used for additional configuration",
      ),
      column("Hosts", "Hosts that incoming requests are matched against before the ingress rule"),
      column("Address", "Address is a list containing ingress points for the load-balancer"),
      column("Ports", "Ports of TLS configurations that open"),
      AGE,
    ],
    row: named(ingressCells),
  },
});

/** The number of hosts that a row shows. */
const MAX_SHOWN = 3;

function ingressCells(ingress: JsonObject): Json[] {
  const points = objects(ingress, "status", "loadBalancer", "ingress")
    .map((one) => getString(one, "ip") || getString(one, "hostname"))
    .filter((text) => text !== "");
  return [
    getString(ingress, "spec", "ingressClassName") || "<none>",
    hostsText(objects(ingress, "spec", "rules")),
    [...new Set(points)].sort().join(","),
    objects(ingress, "spec", "tls").length > 0 ? "80, 443" : "80",
  ];
}

function hostsText(rules: readonly JsonObject[]): string {
  const shown: string[] = [];
  for (const rule of rules) {
    if (shown.length === MAX_SHOWN) {
      return `${shown.join(",")} + ${rules.length - MAX_SHOWN} more...`;
    }
    const host = getString(rule, "host");
    if (host !== "") shown.push(host);
  }
  return shown.join(",") || "*";
}

const CLASS = "kubernetes.io/ingress.class";

function warningsOf(ingress: JsonObject, old: JsonObject | undefined): string[] {
  if (old !== undefined) return [];
  const annotated = getOwn(getObject(ingress, "metadata", "annotations"), CLASS) !== undefined;
  if (!annotated || getPath(ingress, "spec", "ingressClassName") !== undefined) return [];
  return [`annotation "${CLASS}" is deprecated, please use 'spec.ingressClassName' instead`];
}

/** Returns the error of a new Ingress whose annotation names another class than its spec. */
function classErrors(ingress: JsonObject): FieldError[] {
  const annotated = getOwn(getObject(ingress, "metadata", "annotations"), CLASS);
  const named = getPath(ingress, "spec", "ingressClassName");
  if (annotated === undefined || named === undefined || annotated === named) return [];
  const reason = "must match `ingressClassName` when both are specified";
  return [invalidValue(`annotations.${CLASS}`, annotated, reason)];
}

const CLASSES = "ingressclasses.networking.k8s.io";
const DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class";

/** Sets the default class of a new Ingress without a class: the newest, if there are several. */
function admitIngress(
  ingress: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  const annotations = getObject(ingress, "metadata", "annotations");
  const named = getPath(ingress, "spec", "ingressClassName") !== undefined ||
    getOwn(annotations, CLASS) !== undefined;
  if (old !== undefined || named) return ingress;
  const created = (one: JsonObject) => getString(one, "metadata", "creationTimestamp");
  const name = (one: JsonObject) => getString(one, "metadata", "name");
  const [found] = cluster.list(CLASSES, "").filter((one) =>
    getString(getObject(one, "metadata", "annotations"), DEFAULT_CLASS) === "true"
  ).sort((a, b) => {
    if (created(a) !== created(b)) return created(a) < created(b) ? 1 : -1;
    return name(a) < name(b) ? -1 : 1;
  });
  return found === undefined
    ? ingress
    : withPath(ingress, ["spec", "ingressClassName"], name(found));
}
