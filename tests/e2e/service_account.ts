/**
 * Service accounts with exactly the rights that a manager prints.
 *
 * @module
 */

import { assert } from "@std/assert";
import { parseAll } from "@std/yaml/parse";
import {
  Client,
  CustomResourceDefinitions,
  defineResource,
  Deployments,
  type KubeObject,
  loadConfig,
  type Resource,
  ServiceAccounts,
  Services,
  type Stored,
} from "@kubeloop/controller";
import type { World } from "./world.ts";

function rbacResource(kind: string, namespaced: boolean): Resource<KubeObject> {
  const plural = `${kind.toLowerCase()}s`;
  return defineResource({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    plural,
    kind,
    namespaced,
  });
}

const kinds: Readonly<Record<string, Resource<KubeObject>>> = Object.fromEntries(
  [
    CustomResourceDefinitions,
    Deployments,
    ServiceAccounts,
    Services,
    rbacResource("ClusterRole", false),
    rbacResource("ClusterRoleBinding", false),
    rbacResource("Role", true),
    rbacResource("RoleBinding", true),
  ].map((resource) => [resource.kind, resource as Resource<KubeObject>]),
);

/** Applies YAML documents as `kubectl apply` does, without unknown fields. Returns them as the server stores them. */
export async function applyYaml(client: Client, text: string): Promise<Stored<KubeObject>[]> {
  const applied: Stored<KubeObject>[] = [];
  for (const object of parseAll(text) as Stored<KubeObject>[]) {
    const resource = kinds[object.kind ?? ""];
    assert(resource !== undefined, `There is a ${object.kind}`);
    const { namespace } = object.metadata;
    const call = { fieldManager: "e2e", fieldValidation: "Strict", namespace } as const;
    applied.push(await client.apply(resource, object, call));
  }
  return applied;
}

interface TokenRequest extends KubeObject {
  spec: { expirationSeconds: number };
  status?: { token: string };
}

const TokenRequests = defineResource<TokenRequest>({
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "TokenRequest",
  namespaced: true,
});

/** Requests a token as the kubelet does for a mount. */
export async function createToken(
  client: Client,
  name: string,
  namespace: string,
): Promise<string> {
  const request: TokenRequest = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name },
    spec: { expirationSeconds: 3600 },
  };
  const { status } = await client.create(TokenRequests, request, {
    namespace,
    subresource: "token",
  });
  return status?.token ?? "";
}

/** Applies what `Manager.rbac()` has printed for the namespace of the world, and returns a client with these rights alone. */
export async function clientWith(world: World, rbac: string, account: string): Promise<Client> {
  const { client, kubeconfig, namespace } = world;
  await applyYaml(client, rbac);
  const token = await createToken(client, account, namespace);
  const { server, caData, caFile } = await loadConfig({ kubeconfig });
  return new Client({ server, caData, caFile, token });
}
