import {
  defineResource,
  type KubeObject,
  type ObjectReference,
  type Resource,
  type Service as PlainService,
  Services as PlainServices,
} from "@kubeloop/controller/types";

/** A Service, with all fields that its controllers read. */
export interface Service extends PlainService {
  spec?: NonNullable<PlainService["spec"]> & {
    clusterIPs?: string[];
    publishNotReadyAddresses?: boolean;
  };
}

/** A port of an endpoint. */
export interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

/** An endpoint of a Service: the address of a Pod. */
export interface Endpoint {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  zone?: string;
  targetRef?: ObjectReference;
}

/** An EndpointSlice: some of the endpoints of a Service. */
export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Endpoint[];
  ports?: EndpointPort[];
}

/** An address in an Endpoints object. */
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}

/** Addresses that share their ports. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

/** The endpoints of a Service, in the form before EndpointSlices. */
export interface Endpoints extends KubeObject {
  subsets?: EndpointSubset[];
}

/** The resource `services` of the core group. */
export const Services: Resource<Service> = PlainServices as Resource<Service>;
/** The resource `endpoints` of the core group. */
export const EndpointsResource: Resource<Endpoints> = defineResource<Endpoints>({
  group: "",
  version: "v1",
  plural: "endpoints",
  kind: "Endpoints",
  namespaced: true,
});
/** The resource `endpointslices.discovery.k8s.io`. */
export const EndpointSlices: Resource<EndpointSlice> = defineResource<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
});
