// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `discovery`. */
export const DISCOVERY: StructTable = {
  "discovery.Endpoint": `
    addresses []string!* set; conditions discovery.EndpointConditions!; hostname string?;
    targetRef core.ObjectReference?; deprecatedTopology {}string; nodeName string?; zone string?;
    hints discovery.EndpointHints?
  `,
  "discovery.EndpointConditions": "ready bool?; serving bool?; terminating bool?",
  "discovery.EndpointHints": `
    forZones []discovery.ForZone atomic; forNodes []discovery.ForNode atomic
  `,
  "discovery.EndpointPort": `
    @atomic; name string?; protocol core.Protocol? go=v1.Protocol; port int32?; appProtocol string?
  `,
  "discovery.EndpointSlice": `
    @object; metadata meta.ObjectMeta!; addressType string!* go=v1.AddressType #4;
    endpoints []discovery.Endpoint! atomic #2; ports []discovery.EndpointPort! atomic
  `,
  "discovery.EndpointSliceList": `
    @object; metadata meta.ListMeta!; items []discovery.EndpointSlice!*
  `,
  "discovery.ForNode": "name string!*",
  "discovery.ForZone": "name string!*",
};
