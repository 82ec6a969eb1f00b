import type { StructTable } from "../field_tables.ts";

/** Containers and their statuses. */
export const CONTAINER: StructTable = {
  Container: `
    name string!; image string; command []string; args []string; workingDir string;
    ports []ContainerPort map=containerPort,protocol:TCP merge=containerPort;
    envFrom []EnvFromSource; env []EnvVar key=name; resources ResourceRequirements!;
    resizePolicy []ContainerResizePolicy; restartPolicy string?;
    restartPolicyRules []ContainerRestartRule; volumeMounts []VolumeMount key=mountPath;
    volumeDevices []VolumeDevice key=devicePath; livenessProbe Probe?; readinessProbe Probe?;
    startupProbe Probe?; lifecycle Lifecycle?; terminationMessagePath string;
    terminationMessagePolicy string; imagePullPolicy string; securityContext SecurityContext?;
    stdin bool; stdinOnce bool; tty bool
  `,
  EphemeralContainer: `
    name string!; image string; command []string; args []string; workingDir string;
    ports []ContainerPort map=containerPort,protocol:TCP merge=containerPort;
    envFrom []EnvFromSource; env []EnvVar key=name; resources ResourceRequirements!;
    resizePolicy []ContainerResizePolicy; restartPolicy string?;
    restartPolicyRules []ContainerRestartRule; volumeMounts []VolumeMount key=mountPath;
    volumeDevices []VolumeDevice key=devicePath; livenessProbe Probe?; readinessProbe Probe?;
    startupProbe Probe?; lifecycle Lifecycle?; terminationMessagePath string;
    terminationMessagePolicy string; imagePullPolicy string; securityContext SecurityContext?;
    stdin bool; stdinOnce bool; tty bool; targetContainerName string
  `,
  ResourceRequirements: "limits {}quantity; requests {}quantity; claims []ResourceClaim map=name",
  ContainerStatus: `
    name string!; state ContainerState!; lastState ContainerState!; ready bool!;
    restartCount int32!; image string!; imageID string!; containerID string; started bool?;
    allocatedResources {}quantity; resources ResourceRequirements?;
    volumeMounts []VolumeMountStatus key=mountPath; user ContainerUser?;
    allocatedResourcesStatus []ResourceStatus key=name; stopSignal string?
  `,
  ContainerPort: `
    name string; hostPort int32; containerPort int32!; protocol string; hostIP string
  `,
  EnvFromSource: "prefix string; configMapRef ConfigMapEnvSource?; secretRef SecretEnvSource?",
  EnvVar: "name string!; value string; valueFrom EnvVarSource?",
  ContainerResizePolicy: "resourceName string!; restartPolicy string!",
  ContainerRestartRule: "action string; exitCodes ContainerRestartRuleOnExitCodes?",
  VolumeMount: `
    name string!; readOnly bool; recursiveReadOnly string?; mountPath string!; subPath string;
    mountPropagation string?; subPathExpr string
  `,
  VolumeDevice: "name string!; devicePath string!",
  Probe: `
    exec ExecAction?; httpGet HTTPGetAction?; tcpSocket TCPSocketAction?; grpc GRPCAction?;
    initialDelaySeconds int32; timeoutSeconds int32; periodSeconds int32; successThreshold int32;
    failureThreshold int32; terminationGracePeriodSeconds int64?
  `,
  Lifecycle: "postStart LifecycleHandler?; preStop LifecycleHandler?; stopSignal string?",
  SecurityContext: `
    capabilities Capabilities?; privileged bool?; seLinuxOptions SELinuxOptions?;
    windowsOptions WindowsSecurityContextOptions?; runAsUser int64?; runAsGroup int64?;
    runAsNonRoot bool?; readOnlyRootFilesystem bool?; allowPrivilegeEscalation bool?;
    procMount string?; seccompProfile SeccompProfile?; appArmorProfile AppArmorProfile?
  `,
  SELinuxOptions: "user string; role string; type string; level string",
  WindowsSecurityContextOptions: `
    gmsaCredentialSpecName string?; gmsaCredentialSpec string?; runAsUserName string?;
    hostProcess bool?
  `,
  SeccompProfile: "type string!; localhostProfile string?",
  AppArmorProfile: "type string!; localhostProfile string?",
  ResourceClaim: "name string!; request string",
  ContainerState: `
    waiting ContainerStateWaiting?; running ContainerStateRunning?;
    terminated ContainerStateTerminated?
  `,
  VolumeMountStatus: "name string!; mountPath string!; readOnly bool; recursiveReadOnly string?",
  ContainerUser: "linux LinuxContainerUser?",
  ResourceStatus: "name string!; resources []ResourceHealth map=resourceID",
  ConfigMapEnvSource: "name string; optional bool?",
  SecretEnvSource: "name string; optional bool?",
  EnvVarSource: `
    fieldRef ObjectFieldSelector?; resourceFieldRef ResourceFieldSelector?;
    configMapKeyRef ConfigMapKeySelector?; secretKeyRef SecretKeySelector?;
    fileKeyRef FileKeySelector?
  `,
  ContainerRestartRuleOnExitCodes: "operator string; values []int32 set",
  ExecAction: "command []string",
  HTTPGetAction: `
    path string; port intOrString!; host string; scheme string; httpHeaders []HTTPHeader
  `,
  TCPSocketAction: "port intOrString!; host string",
  GRPCAction: "port int32!; service string!?",
  LifecycleHandler: `
    exec ExecAction?; httpGet HTTPGetAction?; tcpSocket TCPSocketAction?; sleep SleepAction?
  `,
  Capabilities: "add []string; drop []string",
  ContainerStateWaiting: "reason string; message string",
  ContainerStateRunning: "startedAt time!",
  ContainerStateTerminated: `
    exitCode int32!; signal int32; reason string; message string; startedAt time!; finishedAt time!;
    containerID string
  `,
  LinuxContainerUser: "uid int64!; gid int64!; supplementalGroups []int64",
  ResourceHealth: "resourceID string!; health string",
  ObjectFieldSelector: "@atomic; apiVersion string; fieldPath string!",
  ResourceFieldSelector: "@atomic; containerName string; resource string!; divisor quantity!",
  ConfigMapKeySelector: "@atomic; name string; key string!; optional bool?",
  SecretKeySelector: "@atomic; name string; key string!; optional bool?",
  FileKeySelector: "@atomic; volumeName string!; path string!; key string!; optional bool?",
  HTTPHeader: "name string!; value string!",
  SleepAction: "seconds int64!",
};
