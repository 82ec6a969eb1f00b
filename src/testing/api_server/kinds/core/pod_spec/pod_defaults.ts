import {
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type JsonObject,
  roundUpToMilli,
  setOwn,
} from "../../../../values/mod.ts";
import { imageTag } from "./image_tag.ts";
import { fill, fillPointer, objects } from "../../shared/mod.ts";

/** Sets the defaults that a Pod has but a Pod template does not. */
export function defaultPod(pod: JsonObject): void {
  const spec = getObject(pod, "spec");
  mirrorAddress(getObject(pod, "status"));
  for (const container of [...objects(spec, "containers"), ...objects(spec, "initContainers")]) {
    const limits = getObject(container, "resources", "limits");
    if (Object.keys(limits).length === 0) continue;
    const resources = getObject(container, "resources");
    resources["requests"] = { ...limits, ...getObject(resources, "requests") };
  }
  fill(spec, "enableServiceLinks", true);
  if (spec["hostNetwork"] !== true) return;
  for (const container of [...objects(spec, "containers"), ...objects(spec, "initContainers")]) {
    for (const port of objects(container, "ports")) {
      if (!getOwn(port, "hostPort")) port["hostPort"] = port["containerPort"] ?? 0;
    }
  }
}

/** Keeps `podIP` equal to the first of `podIPs`. If both are set and differ, `podIP` wins. */
function mirrorAddress(status: JsonObject): void {
  const address = getString(status, "podIP");
  const addresses = objects(status, "podIPs");
  const first = addresses[0] === undefined ? "" : getString(addresses[0], "ip");
  if (address === first) return;
  if (address === "") status["podIP"] = first;
  else status["podIPs"] = [{ ip: address }];
}

/** Sets the defaults of a Pod spec, in a Pod or in a Pod template. */
export function defaultPodSpec(spec: JsonObject): void {
  fill(spec, "dnsPolicy", "ClusterFirst");
  fill(spec, "restartPolicy", "Always");
  if (!isObject(getOwn(spec, "securityContext"))) spec["securityContext"] = {};
  fill(spec, "terminationGracePeriodSeconds", 30);
  fill(spec, "schedulerName", "default-scheduler");
  mirrorServiceAccount(spec);
  for (const volume of objects(spec, "volumes")) defaultVolume(volume);
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of objects(spec, list)) defaultContainer(container);
  }
}

/** Sets both `serviceAccountName` and its deprecated alias `serviceAccount`, if either is set. */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = getString(spec, "serviceAccountName") || getString(spec, "serviceAccount");
  if (name === "") return;
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
}

function pullPolicyOf(image: string): string {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}

function defaultContainer(container: JsonObject): void {
  fill(container, "imagePullPolicy", pullPolicyOf(getString(container, "image")));
  fill(container, "terminationMessagePath", "/dev/termination-log");
  fill(container, "terminationMessagePolicy", "File");
  for (const port of objects(container, "ports")) fill(port, "protocol", "TCP");
  for (const variable of objects(container, "env")) {
    const reference = getOwn(getObject(variable, "valueFrom"), "fieldRef");
    if (isObject(reference)) fill(reference, "apiVersion", "v1");
  }
  for (const list of ["limits", "requests"]) {
    const amounts = getObject(container, "resources", list);
    for (const name of Object.keys(amounts)) {
      setOwn(amounts, name, roundUpToMilli(getString(amounts, name)));
    }
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = getOwn(container, name);
    if (isObject(probe)) defaultProbe(probe);
  }
  for (const hook of ["postStart", "preStop"]) {
    defaultHttpGet(getObject(container, "lifecycle", hook));
  }
}

function defaultProbe(probe: JsonObject): void {
  const numbers = {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  };
  for (const [name, value] of Object.entries(numbers)) {
    if (!getOwn(probe, name)) probe[name] = value;
  }
  defaultHttpGet(probe);
  const grpc = getOwn(probe, "grpc");
  if (isObject(grpc)) fill(grpc, "service", "");
}

function defaultHttpGet(handler: JsonObject): void {
  const action = getOwn(handler, "httpGet");
  if (!isObject(action)) return;
  fill(action, "path", "/");
  fill(action, "scheme", "HTTP");
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === "name" || volume[key] === null)) {
    volume["emptyDir"] = {};
  }
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    const own = getOwn(volume, source);
    if (isObject(own)) fill(own, "defaultMode", 0o644);
  }
  const image = getOwn(volume, "image");
  if (isObject(image)) fill(image, "pullPolicy", pullPolicyOf(getString(image, "reference")));
  const hostPath = getOwn(volume, "hostPath");
  if (isObject(hostPath) && getOwn(hostPath, "type") === undefined) hostPath["type"] = "";
  const claim = getPath(volume, "ephemeral", "volumeClaimTemplate", "spec");
  if (isObject(claim)) fillPointer(claim, "volumeMode", "Filesystem");
  for (const item of objects(volume, "downwardAPI", "items")) defaultFieldRef(item);
  for (const source of objects(volume, "projected", "sources")) {
    const token = getOwn(source, "serviceAccountToken");
    if (isObject(token)) fill(token, "expirationSeconds", 3600);
    for (const item of objects(source, "downwardAPI", "items")) defaultFieldRef(item);
  }
}

function defaultFieldRef(item: JsonObject): void {
  const reference = getOwn(item, "fieldRef");
  if (isObject(reference)) fill(reference, "apiVersion", "v1");
}
