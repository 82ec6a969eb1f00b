// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `apiregistration`. */
export const APIREGISTRATION: StructTable = {
  "apiregistration.APIService": `
    @object; metadata meta.ObjectMeta!; spec apiregistration.APIServiceSpec!;
    status apiregistration.APIServiceStatus!
  `,
  "apiregistration.APIServiceCondition": `
    type string!* go=v1.APIServiceConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apiregistration.APIServiceList": `
    @object; metadata meta.ListMeta!; items []apiregistration.APIService!*
  `,
  "apiregistration.APIServiceSpec": `
    service apiregistration.ServiceReference?; group string; version string;
    insecureSkipTLSVerify bool; caBundle bytes atomic; groupPriorityMinimum int32!* #7;
    versionPriority int32!*
  `,
  "apiregistration.APIServiceStatus": "conditions []apiregistration.APIServiceCondition key=type",
  "apiregistration.ServiceReference": "namespace string; name string; port int32?",
};
