import type { RoleTable } from "./role_table.ts";

/**
 * The ClusterRoles of the controllers of kube-controller-manager. Each is bound to the service account in `kube-system`
 * that is called like its last part.
 */
export const CONTROLLER_ROLES: RoleTable = {
  "system:controller:attachdetach-controller": `
    list watch; core; persistentvolumeclaims persistentvolumes
    read; core; nodes
    patch update; core; nodes/status
    list watch; core; pods
    record; core events.k8s.io; events
    create delete get list watch; storage.k8s.io; volumeattachments
    read; storage.k8s.io; csidrivers
    read; storage.k8s.io; csinodes
  `,
  "system:controller:clusterrole-aggregation-controller": `
    escalate get list patch update watch; rbac.authorization.k8s.io; clusterroles
  `,
  "system:controller:cronjob-controller": `
    get list update watch; batch; cronjobs
    create delete get list patch update watch; batch; jobs
    update; batch; cronjobs/status
    update; batch; cronjobs/finalizers
    delete list watch; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:daemon-set-controller": `
    read; apps extensions; daemonsets
    update; apps extensions; daemonsets/status
    update; apps extensions; daemonsets/finalizers
    list watch; core; nodes
    create delete list patch watch; core; pods
    create; core; pods/binding
    create delete get list patch update watch; apps; controllerrevisions
    record; core events.k8s.io; events
  `,
  "system:controller:deployment-controller": `
    get list update watch; apps extensions; deployments
    update; apps extensions; deployments/status
    update; apps extensions; deployments/finalizers
    create delete get list patch update watch; apps extensions; replicasets
    get list update watch; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:disruption-controller": `
    read; apps extensions; deployments
    read; apps extensions; replicasets
    read; core; replicationcontrollers
    read; policy; poddisruptionbudgets
    read; apps; statefulsets
    update; policy; poddisruptionbudgets/status
    patch update; core; pods/status
    get; *; */scale
    record; core events.k8s.io; events
  `,
  "system:controller:endpoint-controller": `
    read; core; pods services
    create delete get list update watch; core; endpoints
    create; core; endpoints/restricted
    record; core events.k8s.io; events
  `,
  "system:controller:endpointslice-controller": `
    read; core; nodes pods services
    update; core; services/finalizers
    create delete get list update watch; discovery.k8s.io; endpointslices
    record; core events.k8s.io; events
  `,
  "system:controller:endpointslicemirroring-controller": `
    read; core; endpoints services
    update; core; services/finalizers
    update; core; endpoints/finalizers
    create delete get list update watch; discovery.k8s.io; endpointslices
    record; core events.k8s.io; events
  `,
  "system:controller:expand-controller": `
    get list patch update watch; core; persistentvolumes
    patch update; core; persistentvolumeclaims/status
    read; core; persistentvolumeclaims
    record; core events.k8s.io; events
    get; core; services | until:1.35
  `,
  "system:controller:ephemeral-volume-controller": `
    read; core; pods
    update; core; pods/finalizers
    create get list watch; core; persistentvolumeclaims
    record; core events.k8s.io; events
  `,
  "system:controller:resource-claim-controller": `
    read; core; pods
    update; core; pods/finalizers
    create delete get list watch; resource.k8s.io; resourceclaims
    patch update; resource.k8s.io; resourceclaims resourceclaims/status
    patch update; core; pods/status
    record; core events.k8s.io; events
    read; scheduling.k8s.io; podgroups | gate:DRAWorkloadResourceClaims
    patch update; scheduling.k8s.io; podgroups/status | gate:DRAWorkloadResourceClaims
    patch update; resource.k8s.io; resourceclaims/binding | gate:DRAResourceClaimGranularStatusAuthorization
  `,
  "system:controller:device-taint-eviction-controller": `
    | gate:DRADeviceTaints
    delete get list watch; core; pods
    patch update; core; pods/status
    read; resource.k8s.io; resourceclaims
    read; resource.k8s.io; resourceslices
    read; resource.k8s.io; deviceclasses
    record; core events.k8s.io; events
    patch update; resource.k8s.io; devicetaintrules/status | gate:DRADeviceTaintRules
    read; resource.k8s.io; devicetaintrules | gate:DRADeviceTaintRules
  `,
  "system:controller:generic-garbage-collector": `
    delete get list patch update watch; *; *
    record; core events.k8s.io; events
  `,
  "system:controller:horizontal-pod-autoscaler": `
    read; autoscaling; horizontalpodautoscalers
    update; autoscaling; horizontalpodautoscalers/status
    get update; *; */scale
    list watch; core; pods
    list watch; metrics.k8s.io; pods
    read; custom.metrics.k8s.io; *
    read; external.metrics.k8s.io; *
    record; core events.k8s.io; events
  `,
  "system:controller:job-controller": `
    get list patch update watch; batch; jobs
    update; batch; jobs/status
    update; batch; jobs/finalizers
    create delete list patch watch; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:namespace-controller": `
    delete get list watch; core; namespaces
    update; core; namespaces/finalize namespaces/status
    delete deletecollection get list watch; *; *
  `,
  "system:controller:node-controller": `
    delete get list patch update watch; core; nodes
    patch update; core; nodes/status
    patch update; core; pods/status
    delete get list watch; core; pods
    read; coordination.k8s.io; leases | since:1.37
    record; core events.k8s.io; events
  `,
  "system:controller:persistent-volume-binder": `
    create delete get list update watch; core; persistentvolumes
    update; core; persistentvolumes/status
    get list update watch; core; persistentvolumeclaims
    update; core; persistentvolumeclaims/status
    create delete get list watch; core; pods
    read; storage.k8s.io; storageclasses
    list watch; core; nodes
    record; core events.k8s.io; events
    watch; core; events
    get; core; services | until:1.35
  `,
  "system:controller:pod-garbage-collector": `
    delete list watch; core; pods
    read; core; nodes
    patch; core; pods/status
  `,
  "system:controller:replicaset-controller": `
    get list update watch; apps extensions; replicasets
    update; apps extensions; replicasets/status
    update; apps extensions; replicasets/finalizers
    create delete list patch watch; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:replication-controller": `
    get list update watch; core; replicationcontrollers
    update; core; replicationcontrollers/status
    update; core; replicationcontrollers/finalizers
    create delete list patch watch; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:resourcequota-controller": `
    list watch; *; *
    update; core; resourcequotas/status
    record; core events.k8s.io; events
  `,
  "system:controller:route-controller": `
    list watch; core; nodes
    patch; core; nodes/status
    record; core events.k8s.io; events
  `,
  "system:controller:service-account-controller": `
    create; core; serviceaccounts
    record; core events.k8s.io; events
  `,
  "system:controller:service-controller": `
    read; core; services
    patch update; core; services/status
    list watch; core; nodes
    record; core events.k8s.io; events
  `,
  "system:controller:service-cidrs-controller": `
    get list patch update watch; networking.k8s.io; servicecidrs
    patch update; networking.k8s.io; servicecidrs/finalizers
    patch update; networking.k8s.io; servicecidrs/status
    read; networking.k8s.io; ipaddresses
    record; core events.k8s.io; events
  `,
  "system:controller:statefulset-controller": `
    list watch; core; pods
    read; apps; statefulsets
    update; apps; statefulsets/status
    update; apps; statefulsets/finalizers
    create delete get patch update; core; pods
    create delete get list patch update watch; apps; controllerrevisions
    create get list watch; core; persistentvolumeclaims
    delete update; core; persistentvolumeclaims
    update; core; pods/finalizers
    record; core events.k8s.io; events
  `,
  "system:controller:ttl-controller": `
    list patch update watch; core; nodes
    record; core events.k8s.io; events
  `,
  "system:controller:certificate-controller": `
    delete get list watch; certificates.k8s.io; certificatesigningrequests
    update; certificates.k8s.io; certificatesigningrequests/approval certificatesigningrequests/status
    approve; certificates.k8s.io; signers; kubernetes.io/kube-apiserver-client-kubelet
    sign; certificates.k8s.io; signers; kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown
    create; authorization.k8s.io; subjectaccessreviews
    record; core events.k8s.io; events
  `,
  "system:controller:podcertificaterequestcleaner": `
    | gate:PodCertificateRequest
    delete get list watch; certificates.k8s.io; podcertificaterequests
  `,
  "system:controller:kube-apiserver-serving-clustertrustbundle-publisher": `
    | gate:ClusterTrustBundle
    attest; certificates.k8s.io; signers; kubernetes.io/kube-apiserver-serving
    create delete list update watch; certificates.k8s.io; clustertrustbundles
    record; core events.k8s.io; events
  `,
  "system:controller:storage-version-migrator-controller": `
    | gate:StorageVersionMigrator
    create list patch; *; * | until:1.36
    list patch; *; * | since:1.37
    get; apiextensions.k8s.io; customresourcedefinitions
    patch; apiextensions.k8s.io; customresourcedefinitions/status
    update; storagemigration.k8s.io; storageversionmigrations/status
  `,
  "system:controller:pvc-protection-controller": `
    get list update watch; core; persistentvolumeclaims
    update; core; persistentvolumeclaims/status | since:1.36
    read; core; pods
    record; core events.k8s.io; events
  `,
  "system:controller:pv-protection-controller": `
    get list update watch; core; persistentvolumes
    record; core events.k8s.io; events
  `,
  "system:controller:volumeattributesclass-protection-controller": `
    read; core; persistentvolumeclaims
    read; core; persistentvolumes
    get list update watch; storage.k8s.io; volumeattributesclasses
    record; core events.k8s.io; events
  `,
  "system:controller:ttl-after-finished-controller": `
    delete get list watch; batch; jobs
    record; core events.k8s.io; events
  `,
  "system:controller:root-ca-cert-publisher": `
    create update; core; configmaps
    record; core events.k8s.io; events
  `,
  "system:controller:validatingadmissionpolicy-status-controller": `
    read; admissionregistration.k8s.io; validatingadmissionpolicies
    get patch update; admissionregistration.k8s.io; validatingadmissionpolicies/status
    record; core events.k8s.io; events
  `,
  "system:controller:legacy-service-account-token-cleaner": `
    get; core; configmaps; kube-apiserver-legacy-service-account-token-tracking
    delete patch; core; secrets
  `,
  "system:controller:selinux-warning-controller": `
    record; core events.k8s.io; events
    read; core; persistentvolumes
    read; core; persistentvolumeclaims
    read; core; pods
    read; storage.k8s.io; csidrivers
  `,
};
