import type { Pod } from "@kubeloop/controller";

export const shell: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "shell", namespace: "default" },
  spec: {
    containers: [{
      name: "shell",
      image: "busybox:1.37",
      command: ["sh"],
      stdin: true,
      stdinOnce: true,
      tty: true,
    }],
    restartPolicy: "Never",
    activeDeadlineSeconds: 3600,
    terminationGracePeriodSeconds: 0,
  },
};

export const probes: Pod = {
  metadata: { name: "probes", namespace: "default", labels: { app: "probes" } },
  spec: {
    containers: [{
      name: "main",
      image: "registry.example.com/api:1.4.2",
      ports: [{ name: "http", containerPort: 8080 }, { name: "grpc", containerPort: 9090 }],
      startupProbe: {
        tcpSocket: { port: 8080, host: "127.0.0.1" },
        failureThreshold: 30,
        periodSeconds: 2,
      },
      livenessProbe: {
        exec: { command: ["/bin/healthy"] },
        initialDelaySeconds: 5,
        timeoutSeconds: 3,
        successThreshold: 1,
        terminationGracePeriodSeconds: 10,
      },
      readinessProbe: {
        httpGet: {
          path: "/ready",
          port: "http",
          scheme: "HTTPS",
          host: "api.example.com",
          httpHeaders: [{ name: "X-Probe", value: "ready" }],
        },
      },
    }, {
      name: "grpc",
      image: "registry.example.com/grpc:1.0.0",
      readinessProbe: { grpc: { port: 9090, service: "health" } },
    }],
  },
};

export const lifecycle: Pod = {
  metadata: { name: "lifecycle", namespace: "default" },
  spec: {
    os: { name: "linux" },
    containers: [{
      name: "exec",
      image: "nginx:1.29",
      lifecycle: {
        postStart: { exec: { command: ["sh", "-c", "date > /started"] } },
        preStop: { sleep: { seconds: 5 } },
        stopSignal: "SIGQUIT",
      },
    }, {
      name: "http",
      image: "nginx:1.29",
      lifecycle: {
        postStart: { tcpSocket: { port: 80 } },
        preStop: { httpGet: { port: 80, path: "/drain" } },
      },
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "FallbackToLogsOnError",
    }],
  },
};

export const environment: Pod = {
  metadata: { name: "environment", namespace: "default" },
  spec: {
    enableServiceLinks: false,
    volumes: [{ name: "config", emptyDir: {} }],
    containers: [{
      name: "main",
      image: "registry.example.com/api:1.4.2",
      args: ["--verbose"],
      workingDir: "/srv",
      envFrom: [
        { prefix: "CONFIG_", configMapRef: { name: "config", optional: true } },
        { secretRef: { name: "keys", optional: true } },
      ],
      env: [
        { name: "LEVEL", value: "info" },
        {
          name: "POD_NAME",
          valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } },
        },
        {
          name: "MEMORY_MB",
          valueFrom: {
            resourceFieldRef: {
              containerName: "main",
              resource: "limits.memory",
              divisor: "1Mi",
            },
          },
        },
        {
          name: "MODE",
          valueFrom: { configMapKeyRef: { name: "config", key: "mode", optional: true } },
        },
        {
          name: "PASSWORD",
          valueFrom: { secretKeyRef: { name: "keys", key: "password", optional: false } },
        },
        {
          name: "FROM_FILE",
          valueFrom: {
            fileKeyRef: { volumeName: "config", path: "app.env", key: "TOKEN", optional: true },
          },
        },
      ],
      volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
    }],
  },
};

export const hardened: Pod = {
  metadata: { name: "hardened", namespace: "default" },
  spec: {
    automountServiceAccountToken: false,
    hostUsers: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 2000,
      fsGroupChangePolicy: "OnRootMismatch",
      supplementalGroups: [3000],
      supplementalGroupsPolicy: "Strict",
      seccompProfile: { type: "RuntimeDefault" },
      appArmorProfile: { type: "Localhost", localhostProfile: "k8s-nginx" },
      seLinuxOptions: { user: "u", role: "r", type: "t", level: "s0:c123,c456" },
      seLinuxChangePolicy: "Recursive",
      sysctls: [{ name: "net.ipv4.tcp_syncookies", value: "1" }],
    },
    containers: [{
      name: "main",
      image: "nginx:1.29",
      imagePullPolicy: "IfNotPresent",
      securityContext: {
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        procMount: "Default",
        capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
        seccompProfile: { type: "Localhost", localhostProfile: "profiles/audit.json" },
        appArmorProfile: { type: "RuntimeDefault" },
        seLinuxOptions: { level: "s0" },
      },
    }],
  },
};

export const windows: Pod = {
  metadata: { name: "windows", namespace: "default" },
  spec: {
    os: { name: "windows" },
    hostNetwork: true,
    nodeSelector: { "kubernetes.io/os": "windows" },
    securityContext: {
      windowsOptions: {
        gmsaCredentialSpecName: "webapp",
        gmsaCredentialSpec: "{}",
        runAsUserName: "NT AUTHORITY\\Local service",
        hostProcess: true,
      },
    },
    containers: [{
      name: "main",
      image: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
      securityContext: { windowsOptions: { hostProcess: true } },
    }],
  },
};

export const resources: Pod = {
  metadata: { name: "resources", namespace: "default" },
  spec: {
    runtimeClassName: "gvisor",
    overhead: { cpu: "250m", memory: "64Mi" },
    resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2", memory: "2Gi" } },
    resourceClaims: [
      { name: "gpu", resourceClaimTemplateName: "gpu" },
      { name: "shared", resourceClaimName: "shared-gpu" },
    ],
    containers: [{
      name: "main",
      image: "registry.example.com/train:2.0.0",
      resources: {
        requests: { cpu: "500m", memory: "512Mi", "ephemeral-storage": "1Gi" },
        limits: { memory: "1Gi" },
        claims: [{ name: "gpu", request: "gpu-0" }],
      },
      resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
    }],
  },
};

export const scheduling: Pod = {
  metadata: { name: "scheduling", namespace: "default", labels: { app: "cache" } },
  spec: {
    schedulerName: "default-scheduler",
    priorityClassName: "system-cluster-critical",
    priority: 2000000000,
    preemptionPolicy: "PreemptLowerPriority",
    schedulingGates: [{ name: "example.com/quota" }],
    nodeSelector: { disk: "ssd" },
    tolerations: [
      {
        key: "node.kubernetes.io/unreachable",
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      },
      { key: "dedicated", operator: "Equal", value: "cache", effect: "NoSchedule" },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{
            matchExpressions: [{
              key: "topology.kubernetes.io/zone",
              operator: "In",
              values: ["a", "b"],
            }],
            matchFields: [{ key: "metadata.name", operator: "NotIn", values: ["node-1"] }],
          }],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: "gpu", operator: "Exists" }] } },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{
          labelSelector: { matchLabels: { app: "web" } },
          topologyKey: "topology.kubernetes.io/zone",
          namespaces: ["web"],
        }],
        preferredDuringSchedulingIgnoredDuringExecution: [{
          weight: 10,
          podAffinityTerm: {
            labelSelector: { matchLabels: { app: "store" } },
            topologyKey: "kubernetes.io/hostname",
            namespaceSelector: { matchLabels: { team: "store" } },
          },
        }],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{
          labelSelector: {
            matchExpressions: [{ key: "app", operator: "In", values: ["cache"] }],
          },
          topologyKey: "kubernetes.io/hostname",
          matchLabelKeys: ["pod-template-hash"],
        }],
        preferredDuringSchedulingIgnoredDuringExecution: [{
          weight: 100,
          podAffinityTerm: {
            labelSelector: { matchLabels: { app: "batch" } },
            topologyKey: "kubernetes.io/hostname",
            mismatchLabelKeys: ["tenant"],
          },
        }],
      },
    },
    topologySpreadConstraints: [{
      maxSkew: 1,
      topologyKey: "topology.kubernetes.io/zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "cache" } },
      minDomains: 2,
      nodeAffinityPolicy: "Honor",
      nodeTaintsPolicy: "Honor",
      matchLabelKeys: ["pod-template-hash"],
    }],
    containers: [{ name: "redis", image: "redis:8" }],
  },
};

export const network: Pod = {
  metadata: { name: "network", namespace: "default" },
  spec: {
    hostname: "db-0",
    subdomain: "db",
    setHostnameAsFQDN: true,
    hostAliases: [{ ip: "10.0.0.10", hostnames: ["old-db"] }],
    dnsPolicy: "None",
    dnsConfig: {
      nameservers: ["10.96.0.10"],
      searches: ["example.com"],
      options: [{ name: "ndots", value: "2" }],
    },
    readinessGates: [{ conditionType: "example.com/load-balancer-attached" }],
    imagePullSecrets: [{ name: "registry" }],
    containers: [{
      name: "main",
      image: "registry.example.com/db:17",
      ports: [{
        name: "db",
        containerPort: 5432,
        hostPort: 5432,
        protocol: "TCP",
        hostIP: "10.0.0.1",
      }],
    }],
  },
};

export const renamed: Pod = {
  metadata: { name: "renamed", namespace: "default" },
  spec: {
    hostnameOverride: "legacy.example.com",
    containers: [{ name: "main", image: "nginx:1.29" }],
  },
};

export const sidecars: Pod = {
  metadata: { name: "sidecars", namespace: "default" },
  spec: {
    shareProcessNamespace: true,
    serviceAccountName: "web",
    serviceAccount: "web",
    volumes: [{ name: "data", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } }],
    initContainers: [
      { name: "migrate", image: "registry.example.com/migrate:1.4.2", args: ["up"] },
      {
        name: "proxy",
        image: "envoyproxy/envoy:v1.36",
        restartPolicy: "Always",
        startupProbe: { httpGet: { path: "/ready", port: 9901 } },
      },
    ],
    containers: [{
      name: "main",
      image: "registry.example.com/api:1.4.2",
      restartPolicy: "Never",
      restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
      volumeMounts: [
        { name: "data", mountPath: "/data", subPath: "main", readOnly: true },
        { name: "data", mountPath: "/logs", subPathExpr: "$(POD_NAME)" },
      ],
      env: [{ name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    }],
  },
};

export const hostAgent: Pod = {
  metadata: { name: "host-agent", namespace: "kube-system" },
  spec: {
    nodeName: "node-1",
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    dnsPolicy: "ClusterFirstWithHostNet",
    volumes: [{ name: "root", hostPath: { path: "/", type: "Directory" } }],
    containers: [{
      name: "agent",
      image: "registry.example.com/agent:0.9.0",
      securityContext: { privileged: true },
      volumeMounts: [{
        name: "root",
        mountPath: "/host",
        readOnly: true,
        recursiveReadOnly: "IfPossible",
        mountPropagation: "None",
      }],
    }],
  },
};

export const configured: Pod = {
  metadata: { name: "configured", namespace: "default" },
  spec: {
    serviceAccountName: "web",
    volumes: [
      {
        name: "config",
        configMap: {
          name: "config",
          items: [{ key: "app.yaml", path: "app.yaml", mode: 0o400 }],
          defaultMode: 0o644,
          optional: true,
        },
      },
      {
        name: "tls",
        secret: {
          secretName: "tls",
          items: [{ key: "tls.crt", path: "tls.crt" }],
          defaultMode: 0o400,
          optional: false,
        },
      },
      {
        name: "info",
        downwardAPI: {
          defaultMode: 0o444,
          items: [
            { path: "labels", fieldRef: { fieldPath: "metadata.labels" }, mode: 0o444 },
            {
              path: "cpu",
              resourceFieldRef: { containerName: "main", resource: "requests.cpu" },
            },
          ],
        },
      },
      {
        name: "all",
        projected: {
          defaultMode: 0o440,
          sources: [
            {
              secret: { name: "keys", items: [{ key: "a", path: "keys/a" }], optional: true },
            },
            {
              configMap: {
                name: "config",
                items: [{ key: "a", path: "config/a" }],
                optional: true,
              },
            },
            {
              downwardAPI: {
                items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }],
              },
            },
            {
              serviceAccountToken: { audience: "vault", expirationSeconds: 7200, path: "token" },
            },
            {
              clusterTrustBundle: {
                signerName: "example.com/ca",
                labelSelector: { matchLabels: { live: "true" } },
                optional: true,
                path: "ca.pem",
              },
            },
            { clusterTrustBundle: { name: "root", path: "root.pem" } },
            {
              podCertificate: {
                signerName: "example.com/pods",
                keyType: "ED25519",
                maxExpirationSeconds: 86400,
                keyPath: "key.pem",
                certificateChainPath: "chain.pem",
              },
            },
            {
              podCertificate: {
                signerName: "example.com/pods",
                keyType: "ECDSAP256",
                credentialBundlePath: "bundle.pem",
              },
            },
          ],
        },
      },
    ],
    containers: [{ name: "main", image: "nginx:1.29" }],
  },
};

export const storage: Pod = {
  metadata: { name: "storage", namespace: "default" },
  spec: {
    volumes: [
      { name: "claim", persistentVolumeClaim: { claimName: "data", readOnly: true } },
      { name: "raw", persistentVolumeClaim: { claimName: "raw" } },
      {
        name: "scratch",
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { type: "scratch" } },
            spec: {
              accessModes: ["ReadWriteOnce"],
              storageClassName: "fast",
              resources: { requests: { storage: "1Gi" } },
            },
          },
        },
      },
      {
        name: "csi",
        csi: {
          driver: "inline.storage.example.com",
          readOnly: true,
          fsType: "ext4",
          volumeAttributes: { share: "a" },
          nodePublishSecretRef: { name: "csi" },
        },
      },
      {
        name: "model",
        image: { reference: "registry.example.com/model:7", pullPolicy: "IfNotPresent" },
      },
    ],
    containers: [{
      name: "main",
      image: "nginx:1.29",
      volumeDevices: [{ name: "raw", devicePath: "/dev/xvda" }],
      volumeMounts: [{ name: "claim", mountPath: "/data" }],
    }],
  },
};

export const networkStorage: Pod = {
  metadata: { name: "network-storage", namespace: "default" },
  spec: {
    volumes: [
      { name: "nfs", nfs: { server: "10.0.0.5", path: "/exports", readOnly: true } },
      {
        name: "iscsi",
        iscsi: {
          targetPortal: "10.0.0.6:3260",
          portals: ["10.0.0.7:3260"],
          iqn: "iqn.2001-04.com.example:storage.disk1",
          lun: 0,
          iscsiInterface: "default",
          initiatorName: "iqn.1994-05.com.example:node",
          fsType: "ext4",
          readOnly: true,
          chapAuthDiscovery: true,
          chapAuthSession: true,
          secretRef: { name: "chap" },
        },
      },
      {
        name: "fc",
        fc: { targetWWNs: ["500a0982991b8dc5"], lun: 2, fsType: "ext4", readOnly: true },
      },
      { name: "wwids", fc: { wwids: ["3600508b400105e210000900000490000"] } },
      {
        name: "ceph",
        cephfs: {
          monitors: ["10.0.0.8:6789"],
          path: "/",
          user: "admin",
          secretFile: "/etc/ceph/admin.secret",
          secretRef: { name: "ceph" },
          readOnly: true,
        },
      },
      {
        name: "rbd",
        rbd: {
          monitors: ["10.0.0.8:6789"],
          image: "disk",
          fsType: "ext4",
          pool: "kube",
          user: "admin",
          keyring: "/etc/ceph/keyring",
          secretRef: { name: "ceph" },
          readOnly: true,
        },
      },
      { name: "gluster", glusterfs: { endpoints: "gluster", path: "disk", readOnly: true } },
    ],
    containers: [{ name: "main", image: "nginx:1.29" }],
  },
};

export const cloudDisks: Pod = {
  metadata: { name: "cloud-disks", namespace: "default" },
  spec: {
    volumes: [
      {
        name: "ebs",
        awsElasticBlockStore: { volumeID: "vol-1", fsType: "ext4", partition: 1, readOnly: true },
      },
      {
        name: "gce",
        gcePersistentDisk: { pdName: "disk-1", fsType: "ext4", partition: 1, readOnly: true },
      },
      {
        name: "azure-disk",
        azureDisk: {
          diskName: "disk.vhd",
          diskURI: "https://account.blob.core.windows.net/vhds/disk.vhd",
          cachingMode: "ReadOnly",
          fsType: "ext4",
          readOnly: true,
          kind: "Shared",
        },
      },
      {
        name: "azure-file",
        azureFile: { secretName: "azure", shareName: "share", readOnly: true },
      },
      {
        name: "cinder",
        cinder: { volumeID: "c-1", fsType: "ext4", readOnly: true, secretRef: { name: "os" } },
      },
      {
        name: "vsphere",
        vsphereVolume: {
          volumePath: "[datastore] volumes/disk",
          fsType: "ext4",
          storagePolicyName: "gold",
          storagePolicyID: "1",
        },
      },
    ],
    containers: [{ name: "main", image: "nginx:1.29" }],
  },
};

export const olderDrivers: Pod = {
  metadata: { name: "older-drivers", namespace: "default" },
  spec: {
    volumes: [
      {
        name: "flex",
        flexVolume: {
          driver: "example/lvm",
          fsType: "ext4",
          secretRef: { name: "lvm" },
          readOnly: true,
          options: { size: "1000m" },
        },
      },
      { name: "flocker", flocker: { datasetName: "data" } },
      { name: "flocker-id", flocker: { datasetUUID: "6f1c" } },
      {
        name: "quobyte",
        quobyte: {
          registry: "registry:7861",
          volume: "data",
          readOnly: true,
          user: "root",
          group: "root",
          tenant: "a",
        },
      },
      { name: "photon", photonPersistentDisk: { pdID: "p-1", fsType: "ext4" } },
      { name: "portworx", portworxVolume: { volumeID: "v-1", fsType: "ext4", readOnly: true } },
      {
        name: "scale",
        scaleIO: {
          gateway: "https://localhost:443/api",
          system: "scaleio",
          protectionDomain: "domain",
          storagePool: "pool",
          storageMode: "ThinProvisioned",
          volumeName: "vol-0",
          secretRef: { name: "sio" },
          sslEnabled: true,
          fsType: "xfs",
          readOnly: true,
        },
      },
      {
        name: "storageos",
        storageos: {
          volumeName: "vol",
          volumeNamespace: "default",
          fsType: "ext4",
          readOnly: true,
          secretRef: { name: "os" },
        },
      },
      {
        name: "source",
        gitRepo: {
          repository: "https://example.com/app.git",
          revision: "22f1d8406d464b0c0874075539c1f2e96c253775",
          directory: ".",
        },
      },
    ],
    containers: [{ name: "main", image: "nginx:1.29" }],
  },
};

export const debugged: Pod = {
  metadata: { name: "debugged", namespace: "default" },
  spec: {
    volumes: [
      { name: "raw", persistentVolumeClaim: { claimName: "raw" } },
      { name: "data", emptyDir: {} },
    ],
    containers: [{ name: "main", image: "gcr.io/distroless/static" }],
    ephemeralContainers: [{
      name: "debugger",
      targetContainerName: "main",
      image: "busybox:1.37",
      imagePullPolicy: "Always",
      command: ["sh"],
      args: ["-c", "top"],
      workingDir: "/tmp",
      env: [{ name: "TERM", value: "xterm" }],
      envFrom: [{ configMapRef: { name: "config" } }],
      stdin: true,
      stdinOnce: true,
      tty: true,
      securityContext: { capabilities: { add: ["SYS_PTRACE"] } },
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
      volumeMounts: [{ name: "data", mountPath: "/data" }],
      volumeDevices: [{ name: "raw", devicePath: "/dev/xvda" }],
    }],
  },
};

export const owned: Pod = {
  metadata: {
    generateName: "owned-",
    namespace: "default",
    labels: { app: "owned" },
    annotations: { "example.com/reason": "test" },
    finalizers: ["example.com/cleanup"],
    ownerReferences: [{
      apiVersion: "acme.io/v1",
      kind: "Widget",
      name: "a",
      uid: "6f1c6f1c-0000-4000-8000-000000000000",
      controller: true,
      blockOwnerDeletion: true,
    }],
  },
  spec: { containers: [{ name: "main", image: "nginx:1.29" }] },
};

/** With fields of Kubernetes 1.35. */
export const ofWorkload: Pod = {
  metadata: { name: "of-workload", namespace: "default" },
  spec: {
    workloadRef: { name: "training", podGroup: "workers", podGroupReplicaKey: "0" },
    volumes: [{
      name: "certificate",
      projected: {
        sources: [{
          podCertificate: {
            signerName: "example.com/pods",
            keyType: "ED25519",
            credentialBundlePath: "bundle.pem",
            userAnnotations: { "example.com/team": "web" },
          },
        }],
      },
    }],
    containers: [{ name: "main", image: "registry.example.com/train:2.0.0" }],
  },
};

/** With fields of Kubernetes 1.36 and 1.37. */
export const ofGroup: Pod = {
  metadata: { name: "of-group", namespace: "default" },
  spec: {
    serviceAccountName: "web",
    schedulingGroup: { podGroupName: "workers" },
    evictionResponders: [{ name: "example.com/checkpoint", priority: 100 }],
    volumes: [
      { name: "scratch", emptyDir: { mode: 0o1777 } },
      {
        name: "config",
        configMap: {
          name: "config",
          items: [{ key: "a", path: "a", user: 1000 }],
          defaultUser: 1000,
        },
      },
      { name: "keys", secret: { secretName: "keys", defaultUser: 1000 } },
      {
        name: "info",
        downwardAPI: {
          defaultUser: 1000,
          items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" }, user: 1000 }],
        },
      },
      {
        name: "all",
        projected: {
          defaultUser: 1000,
          sources: [
            { serviceAccountToken: { path: "token", user: 1000 } },
            { clusterTrustBundle: { name: "root", path: "root.pem", user: 1000 } },
            {
              podCertificate: {
                signerName: "example.com/pods",
                keyType: "ED25519",
                credentialBundlePath: "bundle.pem",
                user: 1000,
              },
            },
          ],
        },
      },
    ],
    containers: [{
      name: "main",
      image: "registry.example.com/train:2.0.0",
      volumeMounts: [{ name: "scratch", mountPath: "/scratch", bindMountOptions: ["noexec"] }],
      livenessProbe: { grpc: { port: 9090, mode: "TLS" } },
      readinessProbe: { httpGet: { port: 8080, protocol: "HTTP2" } },
    }],
  },
};
