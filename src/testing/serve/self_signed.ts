import { createCertificate, type TlsMaterial } from "@kubeloop/controller/serving";

/** The validity of a certificate: one year, longer than any throw-away cluster runs. */
const VALID_MS = 365 * 24 * 3_600_000;

/**
 * Creates a self-signed certificate for a server on this machine that is also called by the names `hosts`. A client
 * that trusts it needs no other certificate. It is not a CA, because some clients reject a CA as a server certificate.
 */
export function selfSigned(hosts: readonly string[], nowMs: number): Promise<TlsMaterial> {
  return createCertificate({
    commonName: "kubeloop",
    hosts: ["localhost", "127.0.0.1", "::1", ...hosts],
    nowMs,
    validMs: VALID_MS,
  });
}
