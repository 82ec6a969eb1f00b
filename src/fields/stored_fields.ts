/**
 * How the fields of built-in kinds are stored: the part of their Go types that decides whether an apply changes anything.
 * Written by tests/checks/stored_fields.ts from the schemas of the in-process API server. Do not edit.
 *
 * Each line has the fields around, a colon, and the fields. A name with a dot has two fields around.
 *
 * @module
 */

/** Fields within values that are owned as a whole, which are not stored if they are empty. */
export const DROPPED: string = `
addresses notReadyAddresses: hostname
allowedTopologies: matchLabelExpressions
applyConfiguration jsonPatch: expression
attributes.*: bools ints strings versions
capacity config constraints: requests
clusterRoleSelectors labelSelector namespaceSelector nodeTopology objectSelector podSelector selector: matchExpressions matchLabels
conditions: message reason
configMap secret: items name
configMapKeyRef configMapRef imagePullSecrets options secretKeyRef: name
consumesCounters: compatibilityGroups counters
controllerExpandSecretRef controllerPublishSecretRef nodeExpandSecretRef nodePublishSecretRef nodeStageSecretRef paramRef: name namespace
describedObject fieldRef scaleTargetRef: apiVersion
devices: attributes bindingConditions bindingFailureConditions capacity consumesCounters nodeAllocatableResources taints
downwardAPI: items
egress: ports to
endpoints: deprecatedTopology
envFrom: prefix
exactly firstAvailable: allocationMode count derivedAttributes selectors tolerations
excludeResourceRules matchConstraints.resourceRules matchResources.resourceRules: apiGroups apiVersions operations resourceNames resources
exitCodes: operator values
healthConditions: message
healthStatus: healthConditions
hints: forNodes forZones
ingress: from ports
involvedObject regarding related secretRef secrets target targetRef: apiVersion fieldPath kind name namespace resourceVersion uid
ipBlock: except
limits: default defaultRequest max maxLimitRequestRatio min
managedFields: apiVersion fieldsType manager operation subresource
matchConstraints matchResources: excludeResourceRules resourceRules
matchExpressions matchFields requirements: values
metadata: annotations creationTimestamp finalizers generateName generation labels name namespace ownerReferences resourceVersion selfLink uid
modifyVolumeStatus: targetVolumeAttributesClassName
nodeSelectorTerms preference: matchExpressions matchFields
paramKind volumeClaimTemplates: apiVersion kind
paths: path
podAffinityTerm requiredDuringSchedulingIgnoredDuringExecution: matchLabelKeys mismatchLabelKeys namespaces
podCertificate: certificateChainPath credentialBundlePath keyPath keyType signerName userAnnotations
port: name number
requestPolicy: validValues
requests: firstAvailable
resourceFieldRef: containerName
resources: limits requests
restartPolicyRules: action
rules.resourceRules: clusterScope
rules: apiGroups apiVersions host nonResourceRules nonResourceURLs onPodConditions operations resourceNames resourceRules resources
scopeSelector: matchExpressions
serviceAccountToken: audience
sharedCounters: counters
spec: accessModes volumeName
status: accessModes allocatedResourceStatuses allocatedResources capacity conditions phase
subjects: apiGroup namespace
subsets.ports: name protocol
subsets: addresses notReadyAddresses ports
taints: value
tls: hosts secretName
tolerations: effect key operator value
validations: message messageExpression
`;

/** Fields within values that are owned as a whole, which are stored with their zero values if they are missing. */
export const FILLED: string = `
addresses notReadyAddresses: ip
auditAnnotations: key valueExpression
capacity.* counters.*: value
cel validations: expression
clusterTrustBundle serviceAccountToken: path
conditions: lastProbeTime lastTransitionTime status type
configMapKeyRef secretKeyRef topology: key
consumesCounters: counterSet
containerResource: container name target
dataSource dataSourceRef roleRef: apiGroup kind name
derivedAttributes variables: expression name
describedObject scaleTargetRef subjects: kind name
devices forNodes forZones group metric requests sharedCounters user: name
endpoints: addresses conditions
evictionResponders: name priority
exactly: deviceClassName
external pods: metric target
fieldRef: fieldPath
fileKeyRef: key path volumeName
firstAvailable: deviceClassName name
healthConditions: reason status
healthStatus: lastTransitionTime
http: paths
httpHeaders sysctls: name value
ipBlock: cidr
items: key path
limits metrics target: type
matchExpressions: key operator scopeName
matchFields requirements: key operator
matchLabelExpressions: key values
modifyVolumeStatus: status
mutations: patchType
nodeSelector required: nodeSelectorTerms
nonResourceRules: nonResourceURLs verbs
object: describedObject metric target
onExitCodes: operator values
onPodConditions: status type
opaque: driver parameters
ownerReferences: apiVersion kind name uid
paths: backend pathType
podAffinityTerm: topologyKey
policies: periodSeconds type value
preferredDuringSchedulingIgnoredDuringExecution: podAffinityTerm preference weight
readinessGates: conditionType
requestPolicy: default
requiredDuringSchedulingIgnoredDuringExecution: nodeSelectorTerms topologyKey
resizePolicy: resourceName restartPolicy
resource: apiGroup kind name target
resourceFieldRef: divisor resource
rules.resourceRules: apiGroups namespaces resources verbs
rules: action subjects verbs
service: name port
serviceAccount: name namespace
spec: resources
subsets.ports: port
taints: effect key
tokenRequests: audience
volumeClaimTemplates: metadata spec status
`;

/** Objects whose fields are owned one by one, wherever they are. */
export const GRANULAR: string = `
: aggregationRule binaryData deleteOptions deprecatedSource overhead parameters scheduling series source spec stringData template
affinity: nodeAffinity podAffinity podAntiAffinity
behavior: scaleDown scaleUp
clientConfig defaultBackend: service
configSource: configMap
containers ephemeralContainers initContainers: lifecycle livenessProbe readinessProbe resources securityContext startupProbe
csi: volumeAttributes
deleteOptions: preconditions
disruptionMode: all single
drivers: allocatable
env: valueFrom
ephemeral: volumeClaimTemplate
flexVolume: options
inlineVolumeSpec: awsElasticBlockStore azureDisk azureFile capacity cephfs cinder claimRef csi fc flexVolume flocker gcePersistentDisk glusterfs hostPath iscsi local nfs nodeAffinity photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume
jobTemplate template volumeClaimTemplate: metadata spec
lifecycle: postStart preStop
limitResponse: queuing
limited: limitResponse
livenessProbe readinessProbe startupProbe: exec grpc httpGet tcpSocket
metadata: annotations labels
overhead: podFixed
postStart preStop: exec httpGet sleep tcpSocket
resourceAttributes: fieldSelector labelSelector
resources: limits requests
scheduling: disruptionMode schedulingConstraints schedulingPolicy
schedulingPolicy: basic gang
securityContext: appArmorProfile capabilities seLinuxOptions seccompProfile windowsOptions
sessionAffinityConfig: clientIP
source: inlineVolumeSpec
spec: affinity attestations awsElasticBlockStore azureDisk azureFile behavior boundObjectRef capacity cephfs cinder claimRef configSource csi dataSourceRef defaultBackend deviceSelector devices distinguisherMethod dnsConfig exempt extra fc flexVolume flocker gcePersistentDisk glusterfs hard hostPath iscsi jobTemplate limited local metadata nfs nodeAffinity nonResourceAttributes ordinals os overhead parameters parentRef persistentVolumeClaimRetentionPolicy photonPersistentDisk podFailurePolicy podPreemptionPolicy pool portworxVolume priorityLevelConfiguration quobyte rbd resource resourceAttributes resources scaleIO scheduling schedulingGroup securityContext service sessionAffinityConfig source spec storageos strategy successPolicy taint template unverifiedUserAnnotations updateStrategy vsphereVolume
strategy updateStrategy: rollingUpdate
volumes: awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir ephemeral fc flexVolume flocker gcePersistentDisk gitRepo glusterfs hostPath image iscsi nfs persistentVolumeClaim photonPersistentDisk portworxVolume projected quobyte rbd scaleIO secret storageos vsphereVolume
webhooks: clientConfig
`;

/** Times. */
export const TIMES: string =
  `acquireTime creationTimestamp deletionTimestamp deprecatedFirstTimestamp deprecatedLastTimestamp eventTime firstTimestamp lastObservedTime lastProbeTime lastTimestamp lastTransitionTime renewTime time timeAdded`;
