/**
 * A controller that requests a certificate for each Certificate, once for each revision.
 *
 * The controller creates a CertificateRequest with a generated name, and waits up to five seconds until its cache shows
 * it. If that takes longer, the reconcile fails and is tried again. The cache still does not show the first request, so
 * the controller creates a second one. With two requests of one revision the controller does not know which of them
 * counts, and no certificate is issued until a user deletes one of them by hand.
 *
 * https://github.com/cert-manager/cert-manager/issues/4956
 *
 * What finds it: events of CertificateRequests that come late, and a create whose answer is lost.
 *
 * @module
 */

import {
  type Cached,
  Controller,
  controllerOf,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
  isNotFound,
  joinMetaNamespaceKey,
  type KubeObject,
  metaNamespaceKeyFunc,
  type ObjectMeta,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Certificate extends KubeObject {
  spec: { dnsName: string; revision: number };
  status?: { revision?: number; issuedFor?: string };
}

interface CertificateRequest extends KubeObject {
  spec: { dnsName: string; revision: number };
  status?: { ready?: boolean };
}

const group = "example.com";
const version = "v1";
const Certificates: Resource<Certificate> = defineResource<Certificate>({
  group,
  version,
  plural: "certificates",
  kind: "Certificate",
  namespaced: true,
});
const CertificateRequests: Resource<CertificateRequest> = defineResource<CertificateRequest>({
  group,
  version,
  plural: "certificaterequests",
  kind: "CertificateRequest",
  namespaced: true,
});

/** Returns the name of a new request. */
type Naming = (certificate: string, revision: number) => Pick<ObjectMeta, "name" | "generateName">;

const broken: Naming = (certificate) => ({ generateName: `${certificate}-` });

/** The server refuses a second request of the same revision. */
const repaired: Naming = (certificate, revision) => ({ name: `${certificate}-${revision}` });

function requestManager(naming: Naming) {
  return async ({ client, clock, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const certificates = informers.informer(Certificates);
    const requests = informers.informer(CertificateRequests);

    const sees = async (requestKey: string) => {
      for (let i = 0; i < 50; i++) {
        if (requests.indexer.getByKey(requestKey) !== undefined) return true;
        await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
      }
      return false;
    };

    const reconcile = async (key: string) => {
      const certificate = certificates.indexer.getByKey(key);
      if (certificate === undefined) return;
      const { metadata: { name, namespace }, spec: { dnsName, revision }, status } = certificate;
      const mine = requests.indexer.list()
        .filter((request) => controllerOf(request, Certificates)?.uid === certificate.metadata.uid);
      for (const { metadata, spec } of mine) {
        if (spec.revision === revision) continue;
        const preconditions = { uid: metadata.uid };
        await client.delete(CertificateRequests, metadata.name, { namespace, preconditions })
          .catch((error) => {
            if (!isNotFound(error)) throw error;
          });
      }
      const current = mine.filter(({ spec }) => spec.revision === revision);
      if (current.length > 1) throw new Error(`Several requests for revision ${revision}`);
      const [request] = current;
      if (request === undefined) {
        const created = await client.create(CertificateRequests, {
          metadata: {
            ...naming(name, revision),
            ownerReferences: [controllerReference(certificate, Certificates)],
          },
          spec: { dnsName, revision },
        }, { namespace });
        if (await sees(metaNamespaceKeyFunc(created))) return;
        throw new Error(`Timed out waiting for request ${created.metadata.name}`);
      }
      // A request that is being deleted is of an earlier wish for the same revision. Its end comes as an event.
      if (request.metadata.deletionTimestamp !== undefined) return;
      if (request.status?.ready !== true || status?.revision === revision) return;
      const issued = { status: { revision, issuedFor: request.spec.dnsName } };
      await client.patchStatus(Certificates, name, issued, { namespace });
    };

    const controller = new Controller({ informer: certificates, waitFor: [requests], reconcile });
    const wake = (request: Cached<CertificateRequest>) => {
      const owner = controllerOf(request, Certificates);
      const { namespace } = request.metadata;
      if (owner !== undefined) controller.enqueue(joinMetaNamespaceKey(namespace, owner.name));
    };
    requests.addEventHandler({
      onAdd: wake,
      onUpdate: (_old, request) => wake(request),
      onDelete(last) {
        const request = DeletedFinalStateUnknown.lastKnownState(last);
        if (request !== undefined) wake(request);
      },
    });
    await controller.run({ signal });
  };
}

/** Signs each request. */
async function issuer({ client, signal }: ProcessEnv): Promise<void> {
  const requests = new SharedInformerFactory(client).informer(CertificateRequests);
  const controller = new Controller({
    informer: requests,
    async reconcile(key) {
      const request = requests.indexer.getByKey(key);
      if (request === undefined || request.status?.ready) return;
      const { name, namespace } = request.metadata;
      await client.patchStatus(CertificateRequests, name, { status: { ready: true } }, {
        namespace,
      });
    },
  });
  await controller.run({ signal });
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/cert-manager/cert-manager/issues/4956",
  finding: {
    oracle: "end state",
    says: ["certificaterequests", " default/shop-", " exists, and should not"],
    story: ["had not seen certificaterequests"],
  },
  simulate: (logic) =>
    simulation({
      name: "cert-manager#4956",
      process: { manager: requestManager(logic === "broken" ? broken : repaired), issuer },
      workload: [
        create(Certificates, "shop", { spec: { dnsName: "shop.example.com", revision: 1 } }),
        settle(),
        patch(Certificates, "shop", { spec: { revision: 2 } }),
        settle(),
      ],
      resources: [CertificateRequests],
    }),
};

if (import.meta.main) await demonstrate(bug);
