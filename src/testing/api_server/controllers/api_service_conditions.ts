import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { type ResourceInfo, updateManagedFields } from "../kinds/mod.ts";
import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";
import { objectKey } from "../storage/mod.ts";
import type { ControllerContext } from "./controller_context.ts";
import { LevelLoop } from "./level_loop.ts";

/** The field manager of the part of the API server that reads APIServices. */
const MANAGER = "kube-apiserver";
const SERVICE_LABEL = "kubernetes.io/service-name";

/** The index value of the APIServices that a Service serves. */
const REMOTE = "remote";

/**
 * Sets the condition `Available` of each APIService with a Service. A real API server does so a moment later, this one in
 * the write itself. No such APIService is available, because this server does not forward requests.
 */
export class ApiServiceConditions {
  readonly #server: ControllerContext;
  readonly #apiServices: ResourceInfo;
  readonly #services: ResourceInfo;
  readonly #slices: ResourceInfo;
  /** The full names of the resources on which the conditions depend. */
  readonly #sources: ReadonlySet<string>;
  readonly #loop: LevelLoop;

  /** Creates the controller for the APIServices in `server`. */
  constructor(server: ControllerContext) {
    this.#server = server;
    this.#apiServices = server.registry.find("apiregistration.k8s.io", "v1", "apiservices")!;
    this.#services = server.registry.find("", "v1", "services")!;
    this.#slices = server.registry.find("discovery.k8s.io", "v1", "endpointslices")!;
    this.#sources = new Set(
      [this.#apiServices, this.#services, this.#slices].map(({ storageName }) => storageName),
    );
    this.#loop = new LevelLoop(
      server,
      "update the conditions of APIServices",
      () => this.#update(),
    );
  }

  /** Brings all conditions up to date after a write of an object on which they depend. */
  sync({ storageName }: ResourceInfo): void {
    if (this.#sources.has(storageName)) this.#loop.sync();
  }

  /** Cancels the retries. */
  close(): void {
    this.#loop.close();
  }

  #update(): undefined {
    const { clock, storage } = this.#server;
    const store = storage.store(this.#apiServices.storageName);
    for (const key of [...store.index(serverOf).keys(REMOTE)].sort()) {
      const live = this.#apiServices.read(store.get(key)!);
      const before = live as unknown as JsonObject;
      const spec = getObject(before, "spec");
      const [reason, message] = this.#problemOf(spec, getObject(spec, "service"));
      const [condition] = getArray(before, "status", "conditions");
      if (
        getString(condition, "reason") === reason && getString(condition, "message") === message
      ) {
        continue;
      }
      const now = formatTime(clock.wallNow());
      const wasFalse = getString(condition, "status") === "False";
      const lastTransitionTime = wasFalse ? getString(condition, "lastTransitionTime") : now;
      const next = { type: "Available", status: "False", lastTransitionTime, reason, message };
      const object = updateManagedFields({
        kind: this.#apiServices.kind,
        live,
        next: withPath(before, ["status", "conditions"], [next]) as unknown as KubeObject,
        manager: MANAGER,
        subresource: "status",
        now,
      });
      storage.put(store, object, this.#apiServices.encodeStored);
    }
  }

  /** Returns the reason why an APIService is not available, and its message. */
  #problemOf(spec: JsonObject, service: JsonObject): [reason: string, message: string] {
    const { storage } = this.#server;
    const [namespace, name] = [getString(service, "namespace"), getString(service, "name")];
    const who = `service/${name} in ${JSON.stringify(namespace)}`;
    const found = storage.store(this.#services.storageName).get(objectKey(namespace, name));
    if (found === undefined) return ["ServiceNotFound", `${who} is not present`];
    const target = getObject(found.parse() as unknown as JsonObject, "spec");
    const port = Number(getOwn(service, "port") ?? 0);
    if (getString(target, "type") === "ClusterIP") {
      const open = getArray(target, "ports").find((one) => getPath(one, "port") === port);
      if (open === undefined) {
        return ["ServicePortError", `${who} is not listening on port ${port}`];
      }
      const slices = storage.store(this.#slices.storageName).list(namespace)
        .map((slice) => slice.parse() as unknown as JsonObject)
        .filter((slice) => getString(slice, "metadata", "labels", SERVICE_LABEL) === name);
      if (slices.length === 0) {
        return ["EndpointsNotFound", `cannot find endpointslices for ${who}`];
      }
      const portName = getString(open, "name");
      if (!slices.some((slice) => isActive(slice, portName))) {
        const text = `have no addresses with port name ${JSON.stringify(portName)}`;
        return ["MissingEndpoints", `endpointslices for ${who} ${text}`];
      }
    }
    const url = `https://${name}.${namespace}.svc:${port}/apis/${getString(spec, "group")}/${
      getString(spec, "version")
    }`;
    const why = "this server does not forward requests";
    return ["FailedDiscoveryCheck", `failing or missing response from ${url}: ${why}`];
  }
}

/** Returns the index value of an APIService that a Service serves; none for the groups of this server. */
function serverOf(apiService: JsonObject): string[] {
  return isObject(getPath(apiService, "spec", "service")) ? [REMOTE] : [];
}

/** Reports whether an EndpointSlice has the port and an endpoint that is ready. */
function isActive(slice: JsonObject, portName: string): boolean {
  return getArray(slice, "endpoints").some((one) =>
    getPath(one, "conditions", "ready") !== false
  ) &&
    getArray(slice, "ports").some((port) =>
      getString(port, "name") === portName && getPath(port, "port") !== undefined
    );
}
