import { createCertificate, type TlsMaterial } from "@kubeloop/controller/serving";

/** The validity of a certificate: one year, longer than any throw-away cluster runs. */
const VALID_MS = 365 * 24 * 3_600_000;

/** A server's certificate and key, and the certificate of the authority that has issued it. */
export interface ServingCertificate extends TlsMaterial {
  /** The certificate that clients trust, as PEM. */
  readonly authority: string;
}

/**
 * Creates a certificate for a server on this machine that is also called by the names `hosts`, and an authority for it
 * alone. They are two certificates, because some clients refuse an authority as the certificate of a server, and an API
 * server refuses everything but authorities in a ClusterTrustBundle.
 */
export async function servingCertificate(
  hosts: readonly string[],
  nowMs: number,
): Promise<ServingCertificate> {
  const validity = { nowMs, validMs: VALID_MS };
  const issuer = await createCertificate({
    commonName: "kubeloop-ca",
    authority: true,
    ...validity,
  });
  const { cert, key } = await createCertificate({
    commonName: "kubeloop",
    hosts: ["localhost", "127.0.0.1", "::1", ...hosts],
    issuer,
    ...validity,
  });
  return { cert, key, authority: issuer.cert };
}
