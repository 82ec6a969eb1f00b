import { getObject, getString, humanAge, type Json, type JsonObject } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { column, NAME } from "../table/column.ts";

/** IPAddresses. */
export const IP_ADDRESS: KindRecord = defineKind(
  "networking.k8s.io/v1",
  "ipaddresses",
  "IPAddress",
  {
    namespaced: false,
    shortNames: ["ip"],
    table: {
      columns: [NAME, column("ParentRef")],
      row: addressRow,
    },
  },
);

function addressRow(address: JsonObject, nowMs: number): Json[] {
  const parent = getObject(address, "spec", "parentRef");
  const group = getString(parent, "group");
  const namespace = getString(parent, "namespace");
  const resource = `${getString(parent, "resource")}${group === "" ? "" : `.${group}`}`;
  const text = Object.keys(parent).length === 0
    ? "<none>"
    : [resource.toLowerCase(), ...(namespace === "" ? [] : [namespace]), getString(parent, "name")]
      .join("/");
  return [
    getString(address, "metadata", "name"),
    text,
    humanAge(getString(address, "metadata", "creationTimestamp"), nowMs),
  ];
}
