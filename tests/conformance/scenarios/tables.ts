import { get, type StepScenario } from "../step.ts";
import {} from "./_objects.ts";

const T = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const P: string[] = [];
for (
  const [gv, list] of Object.entries({
    "api/v1":
      "componentstatuses configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims persistentvolumes pods podtemplates replicationcontrollers resourcequotas secrets serviceaccounts services",
    "apis/admissionregistration.k8s.io/v1":
      "mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations",
    "apis/apiextensions.k8s.io/v1": "customresourcedefinitions",
    "apis/apiregistration.k8s.io/v1": "apiservices",
    "apis/apps/v1": "controllerrevisions daemonsets deployments replicasets statefulsets",
    "apis/autoscaling/v1": "horizontalpodautoscalers",
    "apis/autoscaling/v2": "horizontalpodautoscalers",
    "apis/batch/v1": "cronjobs jobs",
    "apis/certificates.k8s.io/v1": "certificatesigningrequests",
    "apis/coordination.k8s.io/v1": "leases",
    "apis/discovery.k8s.io/v1": "endpointslices",
    "apis/events.k8s.io/v1": "events",
    "apis/flowcontrol.apiserver.k8s.io/v1": "flowschemas prioritylevelconfigurations",
    "apis/networking.k8s.io/v1":
      "ingressclasses ingresses ipaddresses networkpolicies servicecidrs",
    "apis/node.k8s.io/v1": "runtimeclasses",
    "apis/policy/v1": "poddisruptionbudgets",
    "apis/rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
    "apis/resource.k8s.io/v1": "deviceclasses resourceclaims resourceclaimtemplates resourceslices",
    "apis/scheduling.k8s.io/v1": "priorityclasses",
    "apis/storage.k8s.io/v1":
      "csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses",
  })
) for (const p of list.split(" ")) P.push(`/${gv}/${p}?labelSelector=none%3Dx`);
/** The columns of the Tables of all kinds. */
export const tables: StepScenario = { name: "tables", steps: P.map((p) => get(p, T)) };
