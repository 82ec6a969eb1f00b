/**
 * Kubernetes' protobuf of the objects that the stub server sends, as Go writes it: fields in the order of their numbers,
 * and the fields that Go always writes even if they are empty.
 *
 * @module
 */

/** The JSON of an object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The fields of each message: `name=number:type`, by number. The default type is `string`. `!` marks a field that is
 * always written, `~` a message whose fields are inlined in JSON. Fields that no object of the stub server has are left
 * out, unless they are always written.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  Unknown: "typeMeta=1:TypeMeta! raw=2:bytes contentEncoding=3! contentType=4!",
  TypeMeta: "apiVersion=1! kind=2!",
  WatchEvent: "type=1! object=2:Raw!",
  Raw: "raw=1:bytes",
  Status: "metadata=1:ListMeta! status=2! message=3! reason=4! code=6:int!",
  ListMeta: "selfLink=1! resourceVersion=2! continue=3! remainingItemCount=4:int",
  ObjectMeta: "name=1! generateName=2! namespace=3! selfLink=4! uid=5! resourceVersion=6! " +
    "generation=7:int! creationTimestamp=8:time! labels=11:map annotations=12:map " +
    "ownerReferences=13:OwnerReference managedFields=17:ManagedFieldsEntry",
  OwnerReference:
    "kind=1! name=3! uid=4! apiVersion=5! controller=6:bool blockOwnerDeletion=7:bool",
  ManagedFieldsEntry: "manager=1! operation=2! apiVersion=3! time=4:time fieldsType=6! " +
    "fieldsV1=7:json subresource=8!",
  PartialObjectMetadata: "metadata=1:ObjectMeta!",
  ReplicaSet: "metadata=1:ObjectMeta! spec=2:ReplicaSetSpec! status=3:ReplicaSetStatus!",
  ReplicaSetSpec: "replicas=1:int selector=2:LabelSelector template=3:PodTemplateSpec! " +
    "minReadySeconds=4:int!",
  LabelSelector: "matchLabels=1:map",
  PodTemplateSpec: "metadata=1:ObjectMeta! spec=2:PodSpec!",
  ReplicaSetStatus: "replicas=1:int! fullyLabeledReplicas=2:int! observedGeneration=3:int! " +
    "readyReplicas=4:int! availableReplicas=5:int!",
  Pod: "metadata=1:ObjectMeta! spec=2:PodSpec! status=3:PodStatus!",
  PodSpec: "volumes=1:Volume containers=2:Container restartPolicy=3! " +
    "terminationGracePeriodSeconds=4:int dnsPolicy=6! serviceAccountName=8! serviceAccount=9! " +
    "nodeName=10! hostNetwork=11:bool! hostPID=12:bool! hostIPC=13:bool! hostname=16! " +
    "subdomain=17! schedulerName=19! priorityClassName=24! priority=25:int",
  Volume: "name=1! volumeSource=2:VolumeSource!~",
  VolumeSource: "projected=26:ProjectedVolumeSource",
  ProjectedVolumeSource: "sources=1:VolumeProjection defaultMode=2:int",
  VolumeProjection: "configMap=3:ConfigMapProjection " +
    "serviceAccountToken=4:ServiceAccountTokenProjection",
  ConfigMapProjection: "localObjectReference=1:LocalObjectReference!~ items=2:KeyToPath",
  LocalObjectReference: "name=1!",
  KeyToPath: "key=1! path=2!",
  ServiceAccountTokenProjection: "audience=1! expirationSeconds=2:int path=3!",
  Container: "name=1! image=2! workingDir=5! ports=6:ContainerPort env=7:EnvVar " +
    "resources=8:ResourceRequirements! volumeMounts=9:VolumeMount terminationMessagePath=13! " +
    "imagePullPolicy=14! stdin=16:bool! stdinOnce=17:bool! tty=18:bool! " +
    "terminationMessagePolicy=20!",
  ContainerPort: "name=1! hostPort=2:int! containerPort=3:int! protocol=4! hostIP=5!",
  EnvVar: "name=1! value=2!",
  ResourceRequirements: "limits=1:quantities requests=2:quantities",
  VolumeMount: "name=1! readOnly=2:bool! mountPath=3! subPath=4! subPathExpr=6!",
  PodStatus: "phase=1! conditions=2:PodCondition message=3! reason=4! hostIP=5! podIP=6! " +
    "startTime=7:time containerStatuses=8:ContainerStatus qosClass=9! nominatedNodeName=11! " +
    "podIPs=12:PodIP resize=14! observedGeneration=17:int!",
  PodCondition: "type=1! status=2! lastProbeTime=3:time! lastTransitionTime=4:time! reason=5! " +
    "message=6! observedGeneration=7:int!",
  PodIP: "ip=1!",
  ContainerStatus: "name=1! state=2:ContainerState! lastState=3:ContainerState! ready=4:bool! " +
    "restartCount=5:int! image=6! imageID=7! containerID=8! started=9:bool",
  ContainerState: "running=2:ContainerStateRunning",
  ContainerStateRunning: "startedAt=1:time!",
  Time: "seconds=1:int! nanos=2:int!",
  Quantity: "string=1!",
  StringEntry: "key=1! value=2!",
  QuantityEntry: "key=1! value=2:quantity!",
};

interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly isAlways: boolean;
  readonly isInlined: boolean;
}

/** The fields of each message, the last first. */
const fields = new Map(
  Object.entries(MESSAGES).map(([name, text]) => [name, parse(text).reverse()]),
);

function parse(fields: string): Field[] {
  return fields.split(" ").map((field) => {
    const [, name = "", number, type = "string", marks = ""] =
      /^(\w+)=(\d+)(?::(\w+))?([!~]*)$/.exec(field) ?? [];
    const [isAlways, isInlined] = [marks.includes("!"), marks.includes("~")];
    return { name, number: Number(number), type, isAlways, isInlined };
  });
}

/** Returns the list of items that {@linkcode encodeItem} returned, in its envelope. */
export function encodeList(
  list: JsonObject & { readonly metadata: object },
  items: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const raw = encoded((writer) => {
    writer.bytes(items);
    writeField(writer, 1, "ListMeta", list.metadata);
  });
  return encoded((writer) => writeEnvelope(writer, list, raw));
}

/** Returns an object as a field of a list. */
export function encodeItem(object: JsonObject): Uint8Array<ArrayBuffer> {
  return encoded((writer) => writeField(writer, 2, `${object["kind"]}`, object));
}

/** Returns an event as a frame of a watch: its length in four bytes, then the event. */
export function encodeFrame(type: string, object: JsonObject): Uint8Array<ArrayBuffer> {
  const message = encoded((writer) => writeMessage(writer, `${object["kind"]}`, object));
  const raw = encoded((writer) => writeEnvelope(writer, object, message));
  return encoded((writer) => {
    writeMessage(writer, "WatchEvent", { type, object: { raw } });
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, writer.length);
    writer.bytes(new Uint8Array(length.buffer));
  });
}

function writeEnvelope(
  writer: BackwardWriter,
  { kind, apiVersion }: JsonObject,
  raw: Uint8Array,
): void {
  writeMessage(writer, "Unknown", { typeMeta: { kind, apiVersion }, raw });
  writer.text("k8s\0");
}

function writeMessage(writer: BackwardWriter, message: string, value: JsonObject): void {
  for (const { name, number, type, isAlways, isInlined } of fields.get(message) ?? []) {
    const inner = (isInlined ? value : value[name]) ?? undefined;
    if (Array.isArray(inner)) {
      for (const item of inner.toReversed()) writeField(writer, number, type, item);
    } else if (inner !== undefined && (type === "map" || type === "quantities")) {
      const entry = type === "map" ? "StringEntry" : "QuantityEntry";
      for (const [key, value] of Object.entries(inner).sort(([a], [b]) => a < b ? 1 : -1)) {
        writeField(writer, number, entry, { key, value });
      }
    } else if (inner !== undefined || isAlways) {
      writeField(writer, number, type, inner);
    }
  }
}

/** Writes a field; undefined and null are the empty value of its type. */
function writeField(writer: BackwardWriter, number: number, type: string, value: unknown): void {
  if (type === "int" || type === "bool") {
    writer.varint(Number(value ?? 0));
    return writer.varint(number * 8);
  }
  const before = writer.length;
  if (type === "string") writer.text(`${value ?? ""}`);
  else if (type === "bytes") writer.bytes(value as Uint8Array);
  else if (type === "quantity") writeMessage(writer, "Quantity", { string: value });
  else if (type === "json") writeField(writer, 1, "string", JSON.stringify(value));
  else if (type !== "time") writeMessage(writer, type, (value ?? {}) as JsonObject);
  else if (value) writeMessage(writer, "Time", { seconds: Date.parse(`${value}`) / 1000 });
  writer.varint(writer.length - before);
  writer.varint(number * 8 + 2);
}

function encoded(write: (writer: BackwardWriter) => void): Uint8Array<ArrayBuffer> {
  const writer = new BackwardWriter();
  write(writer);
  return writer.written();
}

/** Writes bytes from the end to the start, so that a length is known when it is written before its message. */
class BackwardWriter {
  #bytes = new Uint8Array(8 * 1024);
  #start = this.#bytes.length;

  /** The number of written bytes. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Returns all written bytes. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#start);
  }

  text(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) throw new RangeError(`Only ASCII is supported: received "${text}"`);
      this.#bytes[this.#start + i] = code;
    }
  }

  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length++;
    this.#reserve(length);
    let rest = value;
    for (let i = 0; i < length; i++, rest = Math.floor(rest / 128)) {
      this.#bytes[this.#start + i] = rest % 128 + (i < length - 1 ? 128 : 0);
    }
  }

  #reserve(count: number): void {
    if (count > this.#start) {
      const larger = new Uint8Array(2 * this.#bytes.length + count);
      larger.set(this.#bytes.subarray(this.#start), larger.length - this.length);
      this.#start += larger.length - this.#bytes.length;
      this.#bytes = larger;
    }
    this.#start -= count;
  }
}
