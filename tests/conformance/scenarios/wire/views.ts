import { get, merge, type Step } from "../../step.ts";

const WIRE = "/api/v1/namespaces/wire";

/** Tables and partial metadata. */
export const views: readonly Step[] = [
  get(`${WIRE}/pods?limit=2`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" },
  }),
  get(`${WIRE}/pods/p1`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" },
  }),
  get(`${WIRE}/pods?limit=1&includeObject=None`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" },
  }),
  get(`${WIRE}/pods?limit=1&includeObject=Object`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/pods/missing`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/configmaps?limit=1`, {
    headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/configmaps/pt`, {
    headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/configmaps?limit=1`, {
    headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/pods?labelSelector=a%3Dnope`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  }),
  get(`${WIRE}/pods`, { headers: { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" } }),
  merge(`${WIRE}/configmaps/pt`, { metadata: { annotations: { a: "b" } } }, {
    headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
  }),
];
