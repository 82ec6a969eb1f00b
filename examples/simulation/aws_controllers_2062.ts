/**
 * The AWS controllers make things of AWS from objects of Kubernetes, here a VPC, a private network. AWS chooses the id of
 * a VPC. The controller stores it in the status of the object, to find the VPC again, and to delete it in the end.
 *
 * The bug: if the controller is killed after the VPC was made and before its id was stored, it knows of no VPC after the
 * restart, and makes another one. The first VPC is never used and never deleted, and costs money.
 *
 * Provoked by a crash before the status is written, which is not the same as a crash after a write: nothing is in the
 * cluster yet. The external world says itself what is wrong.
 *
 * The repair: each VPC has a tag with the UID of its object. Before the controller makes one, or gives the object up, it
 * looks for a VPC with that tag.
 *
 * @module
 */

import {
  Controller,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  type Cloud,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Vpc extends KubeObject {
  spec: { dnsEnabled: boolean };
  status?: { vpcId?: string };
}

const Vpcs: Resource<Vpc> = defineResource<Vpc>({
  group: "ec2.example.com",
  version: "v1alpha1",
  plural: "vpcs",
  kind: "VPC",
  namespaced: true,
});

const FINALIZER = "ec2.example.com/vpc";

interface CloudVpc {
  id: string;
  tag: string;
  dnsEnabled: boolean;
}

/** The part of AWS that has VPCs. Several may have the same tag. */
class Ec2 implements Cloud {
  readonly #vpcs = new Map<string, CloudVpc>();
  #made = 0;

  create(tag: string, dnsEnabled: boolean): Promise<string> {
    const id = `vpc-${++this.#made}`;
    this.#vpcs.set(id, { id, tag, dnsEnabled });
    return Promise.resolve(id);
  }

  find(tag: string): Promise<CloudVpc | undefined> {
    return Promise.resolve([...this.#vpcs.values()].find((vpc) => vpc.tag === tag));
  }

  describe(id: string): Promise<CloudVpc | undefined> {
    return Promise.resolve(this.#vpcs.get(id));
  }

  modify(id: string, dnsEnabled: boolean): Promise<void> {
    const vpc = this.#vpcs.get(id);
    if (vpc === undefined) return Promise.reject(new Error(`InvalidVpcID.NotFound: ${id}`));
    vpc.dnsEnabled = dnsEnabled;
    return Promise.resolve();
  }

  delete(id: string): Promise<void> {
    this.#vpcs.delete(id);
    return Promise.resolve();
  }

  state(): unknown {
    return [...this.#vpcs.values()];
  }

  invariant(): true | string {
    const tags = [...this.#vpcs.values()].map(({ tag }) => tag);
    return new Set(tags).size === tags.length || "an object has two VPCs";
  }
}

/** Returns the id of a VPC that was made for an object, but whose id was not stored. */
type FindMade = (ec2: Ec2, uid: string) => Promise<string | undefined>;

const broken: FindMade = () => Promise.resolve(undefined);

const repaired: FindMade = async (ec2, uid) => (await ec2.find(uid))?.id;

async function operator(
  { client, cloud: ec2, logger, signal }: ProcessEnv<Ec2>,
  logic: Logic,
): Promise<void> {
  const findMade = logic === "broken" ? broken : repaired;
  const vpcs = new SharedInformerFactory(client, { logger }).informer(Vpcs);

  async function reconcile(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const call = { namespace };
    // Not from the cache, which may not have the id yet that this controller has stored itself.
    const vpc = await client.get(Vpcs, name, call).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    if (vpc === undefined) return;
    const { deletionTimestamp, finalizers = [], resourceVersion, uid } = vpc.metadata;
    const setFinalizers = (finalizers: string[]) =>
      client.patch(Vpcs, name, { metadata: { resourceVersion, finalizers } }, call);
    const isOurs = finalizers.includes(FINALIZER);
    if (deletionTimestamp !== undefined) {
      if (!isOurs) return;
      const id = vpc.status?.vpcId ?? await findMade(ec2, uid);
      if (id !== undefined) await ec2.delete(id);
      await setFinalizers(finalizers.filter((finalizer) => finalizer !== FINALIZER));
      return;
    }
    if (!isOurs) {
      await setFinalizers([...finalizers, FINALIZER]);
      return;
    }
    const { dnsEnabled } = vpc.spec;
    const id = vpc.status?.vpcId;
    if (id === undefined) {
      const vpcId = await findMade(ec2, uid) ?? await ec2.create(uid, dnsEnabled);
      await client.patchStatus(Vpcs, name, { status: { vpcId } }, call);
      return;
    }
    if ((await ec2.describe(id))?.dnsEnabled !== dnsEnabled) await ec2.modify(id, dnsEnabled);
  }

  await new Controller({ informer: vpcs, logger, reconcile }).run({ signal });
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/aws-controllers-k8s/community/issues/2062",
  finding: {
    oracle: "invariant",
    says: ["an object has two VPCs"],
    // The answer to the write that stores the id is an error, and the VPC is there.
    story: ["[operator patch vpcs", "/status default/net #1]", "The wrong call", "calls create("],
  },
  simulate: (logic) =>
    simulation({
      name: "aws-controllers-k8s 2062",
      process: (env) => operator(env, logic),
      world: { cloud: () => new Ec2() },
      workload: [
        create(Vpcs, "net", { spec: { dnsEnabled: false } }),
        settle(),
        patch(Vpcs, "net", { spec: { dnsEnabled: true } }),
        settle(),
        remove(Vpcs, "net"),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
