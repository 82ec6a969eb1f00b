/**
 * The kubectl commands of the tests, in order, for both servers.
 *
 * @module
 */

import type { Output } from "./kubectl.ts";

/** One command. */
export interface Step {
  /** The command line without `kubectl`; quoted words may contain spaces. */
  readonly command: string;
  /** The standard input. */
  readonly stdin?: string;
  /** Commands that run once the watch of this command is open. */
  readonly meanwhile?: readonly string[];
  /** Interrupts the command when its output matches, because a watch does not end by itself. */
  readonly until?: RegExp;
  /** Reports whether to retry: on the real server, writes may take some time until they have their effect. */
  readonly retryWhile?: (output: Output) => boolean;
  /** Why our server answers differently; if set, the outputs must differ. */
  readonly differs?: string;
  /** Whether the real server may print more lines, because it serves more kinds. */
  readonly subset?: boolean;
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {tier: front}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: c, image: "nginx:1", ports: [{containerPort: 80}], env: [{name: A, value: "1"}]}
`;

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: {name: applied, labels: {set: one}}
data: {a: "1", b: "2"}
`;

const SEVERAL = `apiVersion: v1
kind: ConfigMap
metadata: {name: several-a, labels: {set: several}}
---
apiVersion: v1
kind: Secret
metadata: {name: several-b, labels: {set: several}}
stringData: {password: hidden}
---
apiVersion: v1
kind: Service
metadata: {name: several-c, labels: {set: several}}
spec:
  selector: {app: web}
  ports: [{port: 80}]
`;

const UNKNOWN_FIELD = `apiVersion: v1
kind: ConfigMap
metadata: {name: typo}
dat: {a: "1"}
`;

const POD = `apiVersion: v1
kind: Pod
metadata: {name: lone, labels: {app: lone}}
spec:
  containers: [{name: c, image: busybox, resources: {requests: {cpu: 100m, memory: 64Mi}}}]
`;

const BOUND_POD = `apiVersion: v1
kind: Pod
metadata: {name: bound, labels: {app: bound}}
spec:
  nodeName: node-1
  containers: [{name: c, image: busybox}]
`;

const FINALIZED = `apiVersion: v1
kind: ConfigMap
metadata: {name: held, finalizers: [example.com/hold]}
`;

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.demo.example.com}
spec:
  group: demo.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
              color: {type: string, default: red}
          status:
            type: object
            properties: {replicas: {type: integer}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Color, type: string, jsonPath: .spec.color, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
`;

const WIDGET = `apiVersion: demo.example.com/v1
kind: Widget
metadata: {name: w1}
spec: {size: 3}
`;

const failed = ({ code }: Output): boolean => code !== 0;

const apply = (stdin: string, flags = ""): Step => ({
  command: `apply ${flags} -f -`.replace("  ", " "),
  stdin,
});

/** All commands. The namespace of the context is `default`. */
export const STEPS: readonly Step[] = [
  { command: "version" },
  { command: "cluster-info" },
  { command: "api-versions", subset: true },
  { command: "api-resources", subset: true },
  { command: "api-resources --namespaced=false -o name", subset: true },
  { command: "api-resources --api-group=apps -o wide", subset: true },
  { command: "get namespaces" },

  { command: "create namespace shop" },
  { command: "create namespace shop" },
  { command: "get namespace shop -o yaml" },
  { command: "create configmap settings --from-literal=a=1 --from-literal=b=two" },
  { command: "create secret generic keys --from-literal=password=hidden" },
  { command: "create deployment generated --image=nginx:1 --replicas=3 --port=80" },
  { command: "create service clusterip generated --tcp=80:8080" },
  { command: "create serviceaccount robot" },
  { command: "create role reader --verb=get,list --resource=pods" },
  { command: "create rolebinding readers --role=reader --serviceaccount=default:robot" },
  { command: "create clusterrole reader --verb=get --resource=pods" },
  { command: "create clusterrolebinding readers --clusterrole=reader --user=ann" },
  { command: "create job once --image=busybox -- echo done" },
  { command: "create poddisruptionbudget calm --selector=app=web --min-available=1" },
  { command: "create configmap dry --from-literal=a=1 --dry-run=server -o yaml" },
  { command: "create configmap dry --from-literal=a=1 --dry-run=client -o yaml" },
  { command: "create -f -", stdin: SEVERAL },
  { command: "create -f -", stdin: SEVERAL },
  { command: "create -f -", stdin: UNKNOWN_FIELD },
  { command: "create --validate=warn -f -", stdin: UNKNOWN_FIELD },
  { command: "create --validate=false -f -", stdin: "not: [yaml" },
  { command: "run runner --image=busybox --restart=Never --labels=app=runner -- sleep 1" },
  { command: "expose deployment generated --name=exposed --port=80 --target-port=8080" },

  { command: "get configmaps" },
  {
    command: "get configmaps -A",
    differs: "a real server has the authority of its clients in extension-apiserver-authentication",
  },
  { command: "get configmap settings -o yaml" },
  { command: "get configmap settings -o json" },
  { command: "get configmap settings --show-managed-fields -o yaml" },
  { command: "get configmap settings -o jsonpath={.data.b}" },
  { command: "get configmaps -o name" },
  { command: "get configmaps -l set=several" },
  { command: "get configmaps -l 'set in (several,other)' --show-labels" },
  { command: "get configmaps --field-selector metadata.name=settings" },
  { command: "get configmaps --chunk-size=1" },
  { command: "get configmaps --sort-by=.metadata.name -o custom-columns=N:.metadata.name,D:.data" },
  { command: "get configmap missing" },
  { command: "get configmap missing --ignore-not-found" },
  { command: "get nosuchthing" },
  { command: "get secrets" },
  { command: "get deployments" },
  { command: "get deployment generated -o wide" },
  { command: "get deployment generated -o yaml" },
  { command: "get services -o wide" },
  { command: "get service generated -o yaml" },
  { command: "get jobs -o wide" },
  { command: "get job once -o yaml" },
  { command: "get pods -o wide" },
  { command: "get pod runner -o yaml" },
  { command: "get roles,rolebindings -o wide" },
  { command: "get clusterrolebinding readers -o wide" },
  { command: "get serviceaccounts" },
  { command: "get pdb" },
  { command: "get all" },
  { command: "get pods --field-selector status.phase=Pending -o name" },
  { command: "get pods --field-selector spec.bogus=1" },
  { command: "get --raw /version" },
  { command: "get --raw /readyz" },

  apply(DEPLOYMENT),
  apply(DEPLOYMENT),
  apply(DEPLOYMENT.replace("replicas: 2", "replicas: 4").replace('value: "1"', 'value: "2"')),
  { command: "get deployment web -o yaml" },
  { command: "diff -f -", stdin: DEPLOYMENT.replace("replicas: 2", "replicas: 4") },
  apply(CONFIG),
  apply(CONFIG.replace('b: "2"', 'c: "3"')),
  { command: "get configmap applied -o yaml" },
  apply(SEVERAL, "--prune --prune-allowlist=core/v1/ConfigMap -l set=several"),
  { command: "apply view-last-applied configmap applied" },
  apply(CONFIG.replaceAll("applied", "server-side"), "--server-side"),
  apply(
    CONFIG.replaceAll("applied", "server-side").replace('"1"', '"9"'),
    "--server-side --field-manager=other",
  ),
  apply(
    CONFIG.replaceAll("applied", "server-side").replace('"1"', '"9"'),
    "--server-side --field-manager=other --force-conflicts",
  ),
  apply(CONFIG.replaceAll("applied", "server-side"), "--server-side --dry-run=server"),
  { command: "get configmap server-side --show-managed-fields -o yaml" },
  apply(DEPLOYMENT, "--server-side --force-conflicts"),
  { command: "get deployment web --show-managed-fields -o yaml" },
  apply(UNKNOWN_FIELD),
  apply(UNKNOWN_FIELD, "--server-side"),

  { command: `patch configmap settings -p '{"data":{"a":"patched"}}'` },
  { command: `patch configmap settings --type=merge -p '{"data":{"b":null}}'` },
  {
    command:
      `patch configmap settings --type=json -p '[{"op":"add","path":"/data/z","value":"26"}]'`,
  },
  { command: `patch configmap settings --type=json -p '[{"op":"remove","path":"/data/none"}]'` },
  {
    command:
      `patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"d","image":"e"}]}}}}'`,
  },
  { command: "get configmap settings -o jsonpath={.data}" },
  { command: "label configmap settings tier=back" },
  { command: "label configmap settings tier=front" },
  { command: "label configmap settings tier=front --overwrite" },
  { command: "label configmap settings tier-" },
  { command: "annotate configmap settings note='a note'" },
  { command: "annotate configmap settings note-" },
  { command: "set image deployment/web c=nginx:2" },
  { command: "set env deployment/web B=2" },
  { command: "set resources deployment/web -c=c --limits=cpu=200m,memory=512Mi" },
  { command: "get deployment web -o yaml" },
  { command: "scale deployment web --replicas=5" },
  { command: "scale deployment web --current-replicas=1 --replicas=6" },
  { command: "get deployment web -o jsonpath={.spec.replicas}/{.metadata.generation}" },
  { command: "rollout status deployment web --timeout=5s" },
  { command: "rollout history deployment web" },
  { command: "rollout pause deployment web" },
  { command: "rollout resume deployment web" },
  { command: "rollout restart deployment web" },
  {
    command: `patch deployment web --subresource=status --type=merge -p ${
      JSON.stringify(JSON.stringify({
        status: {
          observedGeneration: 99,
          replicas: 5,
          updatedReplicas: 5,
          readyReplicas: 5,
          availableReplicas: 5,
          conditions: [{ type: "Available", status: "True", reason: "Enough", message: "m" }],
        },
      }))
    }`,
  },
  { command: "rollout status deployment web --timeout=30s" },
  { command: "wait deployment web --for=condition=Available --timeout=30s" },
  { command: "wait deployment web --for=condition=Progressing --timeout=3s" },
  { command: "wait deployment web --for=jsonpath={.spec.replicas}=5 --timeout=30s" },
  { command: "get deployment web" },
  { command: "replace -f -", stdin: CONFIG.replace('b: "2"', 'r: "replaced"') },
  { command: "replace --force -f -", stdin: CONFIG.replace('b: "2"', 'r: "forced"') },

  apply(POD),
  apply(POD.replace("busybox", "busybox:2")),
  {
    ...apply(POD.replace("cpu: 100m", "cpu: 200m")),
  },
  { command: "wait pod lone --for=create --timeout=30s" },
  { command: "get pod lone --subresource=status -o name" },
  { command: "get -f - -o name", stdin: POD },
  { command: "set serviceaccount deployment web robot" },
  { command: "rollout undo deployment web" },
  { command: "logs lone" },
  { command: "exec lone -- true" },
  {
    command: "explain pods",
    differs: "Kubernetes' documentation of fields is not repeated here",
  },
  { command: "describe pod lone" },
  { command: "describe deployment web" },
  { command: "describe configmap settings" },
  { command: "describe secret keys" },
  { command: "describe service generated" },
  { command: "describe namespace shop" },
  { command: "describe job once" },
  { command: "describe role reader" },
  { command: "describe rolebinding readers" },
  { command: "describe clusterrole reader" },
  { command: "describe serviceaccount robot" },
  { command: "describe pdb calm" },
  {
    command: "get configmaps -w --output-watch-events",
    meanwhile: ["create configmap seen --from-literal=a=1", "delete configmap seen"],
    until: /^DELETED +seen /m,
  },
  {
    command: "get configmaps --watch-only -o name",
    meanwhile: ["label configmap settings watched=yes", "label configmap settings watched-"],
    until: /^(configmap\/settings\n){2}/m,
  },
  {
    command: "get configmaps -w -o wide -l watched",
    meanwhile: ["label configmap settings watched=yes", "label configmap settings watched-"],
    until: /^(settings .*\n){2}/m,
  },
  {
    command: "get pods -l app=lone -w",
    meanwhile: ["label pod lone seen=yes", "delete pod lone --now"],
    // Four lines: present, labelled, marked for deletion, deleted.
    until: /^(lone .*\n){4}/m,
  },
  {
    command: "create -f -",
    stdin: `apiVersion: v1
kind: Event
metadata: {name: told.1, namespace: default}
involvedObject: {kind: ConfigMap, name: settings, namespace: default, apiVersion: v1}
reason: Told
message: something happened
type: Warning
count: 3
source: {component: tester}
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
`,
  },
  { command: "events" },
  { command: "events --for configmap/settings" },
  { command: "events --types=Normal" },
  { command: "get events" },
  { command: "get events -o wide" },
  { command: "describe configmap settings" },

  { command: "auth can-i create pods" },
  { command: "auth can-i get pods --as=ann" },
  { command: "auth can-i delete pods --as=ann" },
  { command: "auth can-i get pods --as=system:serviceaccount:default:robot -q" },
  { command: "auth can-i --list --as=ann" },
  { command: "auth whoami" },
  { command: "auth whoami --as=ann" },
  { command: "create token robot" },
  { command: "get pods --as=bob" },
  {
    command: "auth reconcile -f -",
    stdin: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reconciled}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
`,
  },

  apply(DEFINITION),
  { command: "wait crd widgets.demo.example.com --for=condition=Established --timeout=30s" },
  // The real server updates its discovery documents one by one, after the definition reports to be established.
  { command: "get widgets", retryWhile: failed },
  {
    command: "get --raw /openapi/v3/apis/demo.example.com/v1",
    retryWhile: failed,
    differs: "Kubernetes' documentation of the metadata is not repeated here",
  },
  apply(WIDGET),
  apply(WIDGET.replace("size: 3", "size: 4")),
  apply(WIDGET.replace("size: 3", "size: 0")),
  apply(WIDGET.replace("size: 3", "siez: 3")),
  apply(WIDGET.replace("w1", "w2"), "--server-side"),
  { command: "get widgets" },
  { command: "get wd -o wide" },
  { command: "get widget w1 -o yaml" },
  { command: "get widgets -o wide --sort-by=.spec.size" },
  { command: "explain widgets" },
  { command: "scale widget w1 --replicas=7" },
  { command: "get widget w1 -o jsonpath={.spec.size}" },
  { command: `patch widget w1 --type=merge -p '{"spec":{"color":"blue"}}'` },
  { command: `patch widget w1 -p '{"spec":{"color":"blue"}}'` },
  { command: "describe widget w1" },
  { command: "api-resources --api-group=demo.example.com" },
  { command: "delete widget w1 w2" },
  { command: "delete crd widgets.demo.example.com" },
  {
    command: "get --raw /apis/demo.example.com/v1/namespaces/default/widgets",
    retryWhile: (output) => !failed(output),
  },
  { command: "get crds" },
  { command: "get flowschemas" },
  { command: "get prioritylevelconfigurations" },
  { command: "get widgets" },

  { command: "delete pod runner --grace-period=0 --force" },
  { command: "create -f -", stdin: BOUND_POD },
  { command: "delete pod bound --wait=false" },
  { command: "get pod bound -o jsonpath={.metadata.deletionGracePeriodSeconds}" },
  { command: "delete pod bound --grace-period=0 --force" },
  { command: "create -f -", stdin: FINALIZED },
  { command: "delete configmap held --timeout=3s" },
  {
    command: "wait configmap held --for=delete --timeout=30s",
    meanwhile: [`patch configmap held --type=merge -p '{"metadata":{"finalizers":null}}'`],
  },
  { command: "delete configmap held --ignore-not-found" },
  { command: "delete configmap settings" },
  { command: "delete configmap settings" },
  { command: "delete configmaps -l set=several" },
  { command: "delete deployment generated --cascade=orphan --timeout=3s" },
  { command: "delete deployment web --cascade=background" },
  { command: "delete job once --cascade=background" },
  { command: "delete configmaps --all" },
  { command: "delete -f -", stdin: SEVERAL },
  { command: "get all,configmaps,secrets" },
  { command: "cordon node-1" },
  {
    command: "create -f -",
    stdin: "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n",
  },
  { command: "cordon node-1" },
  { command: "taint nodes node-1 dedicated=db:NoSchedule" },
  { command: "get nodes" },
  { command: "drain node-1 --timeout=2s" },
  { command: "uncordon node-1" },
  { command: "delete node node-1" },
];

/** Splits a command line into words; single and double quotes group words. */
export function words(command: string): string[] {
  return [...command.matchAll(/((?:[^\s'"]|'[^']*'|"(?:[^"\\]|\\.)*")+)/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
      (_, single, double) => single ?? JSON.parse(`"${double}"`),
    )
  );
}
