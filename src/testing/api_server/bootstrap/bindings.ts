import type { BindingTable, RoleTable } from "./role_table.ts";

/** The Roles by namespace. */
export const ROLES: Readonly<Record<string, RoleTable>> = {
  "kube-system": {
    "extension-apiserver-authentication-reader": `
      read; core; configmaps; extension-apiserver-authentication
    `,
    "system:controller:bootstrap-signer": `
      read; core; secrets
    `,
    "system:controller:cloud-provider": `
      create get list watch; core; configmaps
    `,
    "system:controller:token-cleaner": `
      delete get list watch; core; secrets
      record; core events.k8s.io; events
    `,
    "system::leader-locking-kube-controller-manager": `
      create get list update watch; coordination.k8s.io; leases
      create get list update watch; coordination.k8s.io; leasecandidates
    `,
    "system::leader-locking-kube-scheduler": `
      create get list update watch; coordination.k8s.io; leases
      create get list update watch; coordination.k8s.io; leasecandidates
    `,
  },
  "kube-public": {
    "system:controller:bootstrap-signer": `
      read; core; configmaps
      update; core; configmaps; cluster-info
      record; core events.k8s.io; events
    `,
  },
};

/** The RoleBindings by namespace. */
export const ROLE_BINDINGS: Readonly<Record<string, BindingTable>> = {
  "kube-system": {
    "system::extension-apiserver-authentication-reader":
      "user system:kube-controller-manager, user system:kube-scheduler -> extension-apiserver-authentication-reader",
    "system::leader-locking-kube-controller-manager":
      "user system:kube-controller-manager, account kube-controller-manager, account leader-election-controller",
    "system::leader-locking-kube-scheduler": "user system:kube-scheduler, account kube-scheduler",
    "system:controller:bootstrap-signer": "account bootstrap-signer",
    "system:controller:cloud-provider": "account cloud-provider",
    "system:controller:token-cleaner": "account token-cleaner",
  },
  "kube-public": {
    "system:controller:bootstrap-signer": "account bootstrap-signer",
  },
};

/** The ClusterRoleBindings, except the bindings of controllers. */
export const CLUSTER_ROLE_BINDINGS: BindingTable = {
  "cluster-admin": "group system:masters",
  "system:monitoring": "group system:monitoring",
  "system:discovery": "group system:authenticated",
  "system:basic-user": "group system:authenticated",
  "system:public-info-viewer": "group system:authenticated, group system:unauthenticated",
  "system:node-proxier": "user system:kube-proxy",
  "system:kube-controller-manager": "user system:kube-controller-manager",
  "system:kube-dns": "account kube-dns",
  "system:kube-scheduler": "user system:kube-scheduler",
  "system:volume-scheduler": "user system:kube-scheduler",
  "system:node": "",
  "system:service-account-issuer-discovery": "group system:serviceaccounts",
  "system:cluster-trust-bundle-discovery": "group system:serviceaccounts | gate:ClusterTrustBundle",
};
