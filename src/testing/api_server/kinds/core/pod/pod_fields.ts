import type { KubeObject } from "@kubeloop/controller/types";
import { getArray, getString, type JsonObject } from "../../../../values/mod.ts";
import { at, type FieldReader, orElse } from "../../record/mod.ts";

/** The field labels of Pods. */
export const FIELDS: Readonly<Record<string, FieldReader>> = {
  "spec.nodeName": at("spec", "nodeName"),
  "spec.host": at("spec", "nodeName"),
  "spec.restartPolicy": at("spec", "restartPolicy"),
  "spec.schedulerName": at("spec", "schedulerName"),
  "spec.serviceAccountName": at("spec", "serviceAccountName"),
  "spec.hostNetwork": orElse(["spec", "hostNetwork"], "false"),
  "status.phase": at("status", "phase"),
  "status.podIP": podIP,
  // The real server accepts this label but never sets a value for it.
  "status.podIPs": () => "",
  "status.nominatedNodeName": at("status", "nominatedNodeName"),
};

function podIP(object: KubeObject): string {
  const pod = object as unknown as JsonObject;
  return getString(getArray(pod, "status", "podIPs")[0], "ip") || getString(pod, "status", "podIP");
}
