import { getPath, getString, isObject, type Json, type JsonObject } from "../../values/mod.ts";
import { fill } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** IngressClasses. */
export const INGRESS_CLASS: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "ingressclasses",
  "IngressClass",
  {
    namespaced: false,
    counts: [["spec"]],
    defaults: (one) => {
      const parameters = getPath(one, "spec", "parameters");
      if (isObject(parameters)) fill(parameters, "scope", "Cluster");
    },
    names: "subdomain",
    table: {
      columns: [
        NAME,
        column("Controller", "Controller that is responsible for handling this class"),
        column("Parameters", "A reference to a resource with additional parameters"),
        AGE,
      ],
      row: named(classCells),
    },
  },
);

function classCells(one: JsonObject): Json[] {
  const parameters = getPath(one, "spec", "parameters");
  const group = getString(parameters, "apiGroup");
  const text = isObject(parameters)
    ? `${getString(parameters, "kind")}${group === "" ? "" : `.${group}`}/${
      getString(parameters, "name")
    }`
    : "<none>";
  return [getString(one, "spec", "controller"), text];
}
