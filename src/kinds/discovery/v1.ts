// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `discovery/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { ObjectReference, Protocol } from "../core/types.ts";
import type { OpenEnum } from "../scalars.ts";

/** The known values of `AddressType`. */
export type AddressType = OpenEnum<"FQDN">;

/** The `endpoints[]` of an EndpointSlice. */
export type Endpoint = {
  addresses: string[];
  conditions?: EndpointConditions;
  hostname?: string;
  targetRef?: ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
};

/** The `endpoints[].conditions` of an EndpointSlice. */
export type EndpointConditions = {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
};

/** The `endpoints[].hints` of an EndpointSlice. */
export type EndpointHints = {
  forZones?: ForZone[];
  forNodes?: ForNode[];
};

/** The `ports[]` of an EndpointSlice. */
export type EndpointPort = {
  name?: string;
  protocol?: Protocol;
  port?: number;
  appProtocol?: string;
};

/** An EndpointSlice of `discovery.k8s.io/v1`. */
export interface EndpointSlice extends KubeObject {
  /** The `addressType` of an EndpointSlice. */
  addressType: AddressType;
  /** The `endpoints` of an EndpointSlice. */
  endpoints: Endpoint[] | null;
  /** The `ports` of an EndpointSlice. */
  ports?: EndpointPort[] | null;
}

/** A list of EndpointSlices. */
export type EndpointSliceList = KubeList<EndpointSlice>;

/** The `endpoints[].hints.forNodes[]` of an EndpointSlice. */
export type ForNode = {
  name: string;
};

/** The `endpoints[].hints.forZones[]` of an EndpointSlice. */
export type ForZone = {
  name: string;
};

/** The resource `endpointslices.discovery.k8s.io`. */
export const EndpointSlices: Resource<EndpointSlice> = /* @__PURE__ */ builtinResource({
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
});
