import {
  child,
  dns1035Label,
  dnsSubdomain,
  type FieldError,
  getArray,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  portNumber,
  required,
} from "../../../values/mod.ts";

const FORM = "; desired format: https://host[/path]";

/** Returns the errors of the place where a webhook is called: exactly one of a URL and a service. */
export function validateClientConfig(config: JsonObject, field: string): FieldError[] {
  const url = getOwn(config, "url");
  const service = getOwn(config, "service");
  if ((typeof url === "string") === isObject(service)) {
    return [required(field, "exactly one of url or service is required")];
  }
  return isObject(service)
    ? validateService(service, child(field, "service"))
    : validateUrl(String(url), child(field, "url"));
}

function validateUrl(text: string, field: string): FieldError[] {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const errors: FieldError[] = [];
  if (scheme !== "https") {
    const why = `'https' is the only allowed URL scheme${FORM}`;
    errors.push(invalidValue(field, scheme, why));
  }
  if (url === undefined || url.host === "") {
    errors.push(invalidValue(field, "", `host must be specified${FORM}`));
    return errors;
  }
  if (url.username !== "" || url.password !== "") {
    const user = [url.username, url.password].filter((part) => part !== "").join(":");
    errors.push(invalidValue(field, user, "user information is not permitted in the URL"));
  }
  const hash = url.hash.slice(1);
  if (hash !== "") {
    errors.push(invalidValue(field, hash, "fragments are not permitted in the URL"));
  }
  const query = url.search.slice(1);
  if (query !== "") {
    errors.push(invalidValue(field, query, "query parameters are not permitted in the URL"));
  }
  return errors;
}

function validateService(service: JsonObject, field: string): FieldError[] {
  const errors = ["name", "namespace"]
    .filter((name) => getString(service, name) === "")
    .map((name) => required(child(field, name)));
  errors.push(...servicePortErrors(service, field));
  return [...errors, ...validatePath(getString(service, "path"), child(field, "path"))];
}

/** Returns an error if the port of a reference to a Service is not one. */
export function servicePortErrors(service: JsonObject, field: string): FieldError[] {
  const port = getOwn(service, "port") ?? 0;
  const wrong = portNumber(Number(port));
  if (wrong.length === 0) return [];
  return [invalidValue(child(field, "port"), port, `port is not valid: ${wrong.join(", ")}`)];
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  const invalid = (why: string) => invalidValue(field, path, why);
  if (path === "//") return [invalid("segment[0] may not be empty")];
  const errors = path.startsWith("/") ? [] : [invalid("must start with a '/'")];
  const steps = path.slice(1).split("/");
  if (steps.length > 1 && steps[steps.length - 1] === "") steps.pop();
  steps.forEach((step, index) => {
    const wrong = step === ""
      ? [`segment[${index}] may not be empty`]
      : dnsSubdomain(step).map((text) => `segment[${index}]: ${text}`);
    errors.push(...wrong.map(invalid));
  });
  return errors;
}

/** Returns the errors of the list of the review versions that a webhook understands. */
export function validateReviewVersions(
  webhook: JsonObject,
  field: string,
  name: string,
): FieldError[] {
  const versions = getArray(webhook, name);
  const at = child(field, name);
  const known = ["v1", "v1beta1"];
  if (versions.length === 0) {
    const detail = name === "admissionReviewVersions" ? `must specify one of v1, v1beta1` : "";
    return [required(at, detail)];
  }
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalidValue(item(at, index), version, "duplicate version")]
      : dns1035Label(String(version)).map((text) => invalidValue(item(at, index), version, text))
  );
  if (!versions.some((version) => known.includes(String(version)))) {
    errors.push(invalidValue(at, versions, `must include at least one of ${known.join(", ")}`));
  }
  return errors;
}
