import { DeletedFinalStateUnknown } from "@kubeloop/controller/cache";
import {
  type Cached,
  ConfigMaps,
  isAlreadyExists,
  type KubeObject,
  type Namespace,
  Namespaces,
  type Resource,
  ServiceAccounts,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  isBeingDeleted,
  isSame,
  Reconciler,
  whenTerminating,
} from "./control/mod.ts";

const SERVICE_ACCOUNT = "default";
const ROOT_CA = "kube-root-ca.crt";

/** Options of {@linkcode NamespaceDefaults}. */
export interface NamespaceDefaultsOptions extends ActorOptions {
  /** The certificate that clients in Pods trust, in PEM format. Default: none, and no ConfigMap with it. */
  readonly rootCertificate?: string | undefined;
}

/**
 * Creates the ServiceAccount `default` in each namespace, and the ConfigMap `kube-root-ca.crt` if a certificate is given, as
 * kube-controller-manager does. Both are created again after a deletion.
 */
export class NamespaceDefaults implements Actor {
  /** `serviceaccount-controller` */
  readonly name: string = "serviceaccount-controller";
  readonly #frame: Reconciler<Namespace>;
  readonly #rootCertificate: string | undefined;

  /** Creates a controller, which does nothing until {@linkcode NamespaceDefaults.run} is called. */
  constructor(options: NamespaceDefaultsOptions) {
    this.#rootCertificate = options.rootCertificate;
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: Namespaces,
      reconcile: (namespace, signal) => this.#reconcile(namespace, signal),
    });
    this.#follow(ServiceAccounts, SERVICE_ACCOUNT);
    if (this.#rootCertificate !== undefined) this.#follow(ConfigMaps, ROOT_CA);
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  #follow<T extends KubeObject>(resource: Resource<T>, name: string): void {
    const changed = ({ metadata }: Cached<T>) => {
      if (metadata.name === name) this.#frame.enqueue(metadata.namespace ?? "");
    };
    this.#frame.related(resource).addEventHandler({
      onUpdate: (_old, object) => changed(object),
      onDelete: (last) => {
        const object = DeletedFinalStateUnknown.lastKnownState(last);
        if (object !== undefined) changed(object);
      },
    });
  }

  async #reconcile({ metadata, status }: Cached<Namespace>, signal: AbortSignal): Promise<void> {
    const namespace = metadata.name;
    if (isBeingDeleted({ metadata }) || status?.phase === "Terminating") return;
    const { client } = this.#frame;
    const create = async <T extends KubeObject>(resource: Resource<T>, object: T) => {
      const { name } = object.metadata;
      const cached = this.#frame.related(resource).indexer.getByKey(`${namespace}/${name}`);
      if (cached !== undefined) return cached;
      await client.create(resource as Resource, object, { signal }).catch((error) => {
        // The cache is behind, or the namespace is on its way out.
        if (!isAlreadyExists(error) && !whenTerminating(error)) throw error;
      });
      return undefined;
    };
    await create(ServiceAccounts, { metadata: { name: SERVICE_ACCOUNT, namespace } });
    const certificate = this.#rootCertificate;
    if (certificate === undefined) return;
    const data = { "ca.crt": certificate };
    const present = await create(ConfigMaps, { metadata: { name: ROOT_CA, namespace }, data });
    if (present === undefined || isSame(present.data, data)) return;
    await client.patch(ConfigMaps, ROOT_CA, { data }, { namespace, signal });
  }
}
