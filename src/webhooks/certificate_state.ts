import {
  alternativeNamesOf,
  type CertificateOptions,
  createCertificate,
  type ReadCertificate,
  readCertificate,
  type TlsMaterial,
} from "../serving/mod.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AUTHORITY_VALID_MS = 10 * 365 * DAY_MS;
const SERVING_VALID_MS = 365 * DAY_MS;

/**
 * How long a new authority is trusted before its first certificate is served, and how long the previous one is trusted
 * after that, about a day: replicas and API servers learn of a change within minutes.
 */
const OVERLAP_MS = DAY_MS - HOUR_MS;

/** The maximum number of trusted authorities (two during an overlap). */
const MAX_TRUSTED = 4;

/** The times that a certificate can name in both forms of X.509. */
const FIRST_MS = Date.UTC(1950, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

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
 * A certificate is due when a third of its time is left, or when it is not valid yet. A new authority is trusted for a day
 * before it issues the serving certificate, and the previous one for a day after that, so that no API server ever meets a
 * certificate that it does not trust.
 *
 * The clock may be wrong: this one, or that of the replica that has made the certificates, by an hour or by years. Nobody
 * knows which. So a new certificate is also valid when the one before it was, and no clock makes certificates that others
 * cannot use.
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
  const old = authority === undefined ? undefined : readCertificate(authority.cert);
  if (authority === undefined || old === undefined || isDue(old, AUTHORITY_VALID_MS, nowMs)) {
    authority = await createCertificate({
      // A name of its own, because clients find an issuer by its name too.
      commonName: `kubeloop webhooks ${new Date(nowMs).toISOString()}`,
      authority: true,
      ...validity(nowMs, AUTHORITY_VALID_MS, old?.notBeforeMs, old),
    });
    trusted = [authority.cert, ...trusted].slice(0, MAX_TRUSTED);
  }
  const issuer = authority;
  const by = readCertificate(issuer.cert);
  const issue = (before?: ReadCertificate) => {
    const [commonName = "webhooks"] = hosts;
    const times = validity(nowMs, SERVING_VALID_MS, by.notBeforeMs, before);
    return createCertificate({ commonName, hosts, issuer, ...times });
  };
  serving ??= await issue();
  const current = readCertificate(serving.cert);
  if (mustReplace(current, by, hosts, nowMs)) serving = await issue(current);
  const { authorityKeyId, notAfterMs } = readCertificate(serving.cert);
  const isOwn = authorityKeyId === by.subjectKeyId;
  const isOverlapOver = nowMs - (notAfterMs - SERVING_VALID_MS) >= OVERLAP_MS;
  if (trusted.length > 1 && isOwn && isOverlapOver) trusted = [authority.cert];
  const isSame = state !== undefined && authority === state.authority &&
    trusted === state.trusted && serving === state.serving;
  return isSame ? state : { authority, trusted, serving };
}

/** Reports whether a certificate is not valid yet, or a third of its time is left, or less. */
function isDue({ notBeforeMs, notAfterMs }: ReadCertificate, validMs: number, nowMs: number) {
  return nowMs < notBeforeMs || notAfterMs - nowMs <= validMs / 3;
}

/**
 * Returns the times of a certificate that is valid from an hour ago, and also when the one before it was.
 *
 * @param fromMs The start, if it is earlier.
 * @param before The certificate before. If it is not valid yet, one of two clocks is wrong: then the end is so late that the
 * certificate seems to be new for a long time, and nothing is taken out of the trust because of it.
 */
function validity(
  nowMs: number,
  validMs: number,
  fromMs: number = Infinity,
  before?: ReadCertificate,
): Pick<CertificateOptions, "nowMs" | "validMs"> {
  const startMs = Math.max(FIRST_MS, Math.min(nowMs, fromMs + HOUR_MS));
  const untilMs = before === undefined
    ? -Infinity
    : before.notAfterMs + (nowMs < before.notBeforeMs ? validMs : 0);
  const endMs = Math.min(LAST_MS, Math.max(nowMs + validMs, untilMs));
  return { nowMs: startMs, validMs: endMs - startMs };
}

function mustReplace(
  current: ReadCertificate,
  issuer: ReadCertificate,
  hosts: readonly string[],
  nowMs: number,
): boolean {
  if (current.alternativeNames !== alternativeNamesOf(hosts)) return true;
  if (isDue(current, SERVING_VALID_MS, nowMs)) return true;
  // A new authority waits until API servers trust it.
  return current.authorityKeyId !== issuer.subjectKeyId &&
    nowMs - (issuer.notAfterMs - AUTHORITY_VALID_MS) >= OVERLAP_MS;
}
