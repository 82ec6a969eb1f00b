import {
  alternativeNamesOf,
  createCertificate,
  type ReadCertificate,
  readCertificate,
  type TlsMaterial,
} from "../../serving/mod.ts";

const DAY_MS = 86_400_000;
const AUTHORITY_VALID_MS = 10 * 365 * DAY_MS;
const SERVING_VALID_MS = 365 * DAY_MS;

/**
 * How long a new authority is trusted before its first certificate is served, and how long the previous one is trusted
 * after that: replicas and API servers learn of a change within minutes.
 */
const OVERLAP_MS = DAY_MS;

/** Of the authorities that are trusted at a time, at most. There are two during an overlap. */
const MAX_TRUSTED = 4;

/** The certificates of a webhook server, as its replicas share them. */
export interface CertificateState {
  /** The authority that issues serving certificates. */
  readonly authority: TlsMaterial;
  /** The certificates of the authorities to trust, in PEM, the newest first. */
  readonly trusted: readonly string[];
  /** The certificate to serve with. */
  readonly serving: TlsMaterial;
}

/**
 * Returns the certificates to use from now on: the same object if nothing is due.
 *
 * A certificate is due when a third of its time is left. A new authority is trusted for a day before it issues the
 * serving certificate, and the previous one for a day after that, so that no API server ever meets a certificate that
 * it does not trust.
 *
 * @param state The certificates so far; undefined if there are none.
 * @param hosts The host names that API servers call.
 * @param nowMs The current time, in milliseconds since the Unix epoch.
 */
export async function rotate(
  state: CertificateState | undefined,
  hosts: readonly string[],
  nowMs: number,
): Promise<CertificateState> {
  let { authority, trusted = [], serving } = state ?? {};
  if (authority === undefined || isDue(readCertificate(authority.cert), nowMs)) {
    authority = await createCertificate({
      // A name of its own, because clients find an issuer by its name too.
      commonName: `kubeloop webhooks ${new Date(nowMs).toISOString()}`,
      authority: true,
      nowMs,
      validMs: AUTHORITY_VALID_MS,
    });
    trusted = [authority.cert, ...trusted].slice(0, MAX_TRUSTED);
  }
  const issuer = authority;
  const issue = () => {
    const [commonName = "webhooks"] = hosts;
    return createCertificate({ commonName, hosts, issuer, nowMs, validMs: SERVING_VALID_MS });
  };
  serving ??= await issue();
  if (mustReplace(serving, authority, hosts, nowMs)) serving = await issue();
  const { notBeforeMs, authorityKeyId } = readCertificate(serving.cert);
  const isOwn = authorityKeyId === readCertificate(authority.cert).subjectKeyId;
  if (trusted.length > 1 && isOwn && nowMs - notBeforeMs >= OVERLAP_MS) trusted = [authority.cert];
  const isSame = state !== undefined && authority === state.authority &&
    trusted === state.trusted && serving === state.serving;
  return isSame ? state : { authority, trusted, serving };
}

/** Reports whether a third of the time of a certificate, or less, is left. */
function isDue({ notBeforeMs, notAfterMs }: ReadCertificate, nowMs: number): boolean {
  return notAfterMs - nowMs <= (notAfterMs - notBeforeMs) / 3;
}

function mustReplace(
  serving: TlsMaterial,
  authority: TlsMaterial,
  hosts: readonly string[],
  nowMs: number,
): boolean {
  const current = readCertificate(serving.cert);
  const issuer = readCertificate(authority.cert);
  if (current.alternativeNames !== alternativeNamesOf(hosts)) return true;
  if (current.authorityKeyId === issuer.subjectKeyId) return isDue(current, nowMs);
  return current.notAfterMs <= nowMs || nowMs - issuer.notBeforeMs >= OVERLAP_MS;
}
