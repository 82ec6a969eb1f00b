import type { KubeObject } from "@kubeloop/controller/types";
import type { Release } from "../release/mod.ts";
import { apiService, apiServices } from "./api_services.ts";
import { CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS, ROLES } from "./bindings.ts";
import { AGGREGATED_ROLES, CLUSTER_ROLES } from "./cluster_roles.ts";
import { CONTROLLER_ROLES } from "./controller_roles.ts";
import {
  FLOW_SCHEMAS,
  flowSchemas,
  foundLevel,
  PRIORITY_LEVELS,
  priorityLevels,
} from "./flow_control.ts";
import {
  configMaps,
  endpoints,
  endpointSlice,
  namespaces,
  priorityClasses,
  readyCidr,
  service,
  serviceAddress,
  serviceCidr,
} from "./objects.ts";
import {
  aggregatedRole,
  binding,
  type BindingTable,
  entriesIn,
  role,
  type RoleTable,
} from "./role_table.ts";
import type { JsonObject } from "../../values/mod.ts";

/** The objects of one resource in a fresh cluster. */
export interface InitialResource {
  /** The full name of the resource, as in `clusterroles.rbac.authorization.k8s.io`. */
  readonly resource: string;
  /** The number of objects. They are made only when something asks for them. */
  readonly count: number;
  /** Returns the objects, without the fields that the server sets. `now` is the time of their creation. */
  readonly objects: (now: string) => KubeObject[];
  /** The field manager that creates them. Default: `kube-apiserver`. */
  readonly manager?: string;
  /** The status that a part of the server applies to each of them, and its field manager. */
  readonly status?: {
    readonly manager: string;
    readonly of: (object: JsonObject, now: string) => JsonObject;
  };
}

const RBAC = "rbac.authorization.k8s.io";

const FLOW_CONTROL = "api-priority-and-fairness-config";

const known = new WeakMap<Release, readonly InitialResource[]>();

/** Returns the objects of a fresh cluster, in the order in which they are created. */
export function initialResources(release: Release): readonly InitialResource[] {
  const resources = known.get(release) ?? resourcesIn(release);
  known.set(release, resources);
  return resources;
}

function resourcesIn(release: Release): InitialResource[] {
  const written = entriesIn({ ...CLUSTER_ROLES, ...CONTROLLER_ROLES }, release);
  const controllers = entriesIn(CONTROLLER_ROLES, release);
  const bindings = entriesIn(CLUSTER_ROLE_BINDINGS, release);
  const services = apiServices(release);
  const clusterRoles = () => [
    ...written.map(([name, text]) => role(name, text, release)),
    ...Object.entries(AGGREGATED_ROLES).map(([name, into]) => aggregatedRole(name, into)),
  ];
  const clusterRoleBindings = () => [
    ...bindings.map(([name, text]) => binding(name, text)),
    ...controllers.map(([name]) => binding(name, `account ${name.split(":")[2]}`)),
  ];
  return [
    { resource: "namespaces", count: 4, objects: namespaces },
    { resource: "configmaps", count: 2, objects: configMaps },
    {
      resource: "apiservices.apiregistration.k8s.io",
      count: services.length,
      objects: () => services.map(apiService),
    },
    {
      resource: "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
      count: PRIORITY_LEVELS,
      objects: priorityLevels,
      manager: `${FLOW_CONTROL}-producer-v1`,
    },
    {
      resource: "flowschemas.flowcontrol.apiserver.k8s.io",
      count: FLOW_SCHEMAS,
      objects: flowSchemas,
      manager: `${FLOW_CONTROL}-producer-v1`,
      status: { manager: `${FLOW_CONTROL}-consumer-v1`, of: foundLevel },
    },
    { resource: "priorityclasses.scheduling.k8s.io", count: 2, objects: priorityClasses },
    {
      resource: `clusterroles.${RBAC}`,
      count: written.length + Object.keys(AGGREGATED_ROLES).length,
      objects: clusterRoles,
    },
    {
      resource: `clusterrolebindings.${RBAC}`,
      count: bindings.length + controllers.length,
      objects: clusterRoleBindings,
    },
    {
      resource: `roles.${RBAC}`,
      count: sizeOfAll(ROLES),
      objects: () =>
        inNamespaces(ROLES, (name, text, namespace) => role(name, text, release, namespace)),
    },
    {
      resource: `rolebindings.${RBAC}`,
      count: sizeOfAll(ROLE_BINDINGS),
      objects: () => inNamespaces(ROLE_BINDINGS, binding),
    },
    {
      resource: "servicecidrs.networking.k8s.io",
      count: 1,
      objects: () => [serviceCidr()],
      status: { manager: "kubernetes-service-cidr-controller", of: readyCidr },
    },
    { resource: "ipaddresses.networking.k8s.io", count: 1, objects: () => [serviceAddress()] },
    { resource: "services", count: 1, objects: () => [service()] },
    { resource: "endpoints", count: 1, objects: () => [endpoints()] },
    { resource: "endpointslices.discovery.k8s.io", count: 1, objects: () => [endpointSlice()] },
  ];
}

function inNamespaces(
  tables: Readonly<Record<string, RoleTable | BindingTable>>,
  make: (name: string, text: string, namespace: string) => KubeObject,
): KubeObject[] {
  return Object.entries(tables).flatMap(([namespace, table]) =>
    Object.entries(table).map(([name, text]) => make(name, text, namespace))
  );
}

function sizeOfAll(tables: object): number {
  return Object.values(tables).reduce((sum, table) => sum + Object.keys(table).length, 0);
}
