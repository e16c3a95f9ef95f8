/** Verifies AWS Signature Version 4 in headers and in presigned URLs, independently of the SDK that makes them. */
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface SignedRequest {
  method: string;
  /** As it was sent. */
  url: string;
  headers: IncomingMessage["headers"];
}

const MAX_SKEW_MS = 15 * 60_000;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
const parseTime = (text: string): number => Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

/** Returns the code of the error that a store responds with; null if the signature is valid now. */
export function findSignatureError({ method, url, headers }: SignedRequest, accessKeyId: string, secretAccessKey: string): string | null {
  const { pathname, searchParams } = new URL(url, "http://store");
  const isPresigned = searchParams.has("X-Amz-Signature");
  /** Returns a part of the signature, which stands in the query or in the header. */
  const read = (name: "Credential" | "SignedHeaders" | "Signature"): string =>
    (isPresigned ? searchParams.get(`X-Amz-${name}`) : new RegExp(`${name}=([^,\\s]+)`).exec(headers.authorization ?? "")?.[1]) ?? "";
  const [credential, signedHeaders, signature] = [read("Credential"), read("SignedHeaders"), read("Signature")];
  if (!credential || !signedHeaders || !signature || (isPresigned && headers.authorization)) return "AccessDenied";
  const [keyId, ...scope] = credential.split("/");
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  const time = (isPresigned ? searchParams.get("X-Amz-Date") : headers["x-amz-date"]) ?? "";
  const age = Date.now() - parseTime(String(time));
  if (isPresigned ? age > Number(searchParams.get("X-Amz-Expires")) * 1_000 : Math.abs(age) > MAX_SKEW_MS)
    return isPresigned ? "AccessDenied" : "RequestTimeTooSkewed";
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [escape(name), escape(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const canonical = [
    method,
    pathname,
    query,
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    signedHeaders,
    isPresigned ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`);
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n")).toString("hex");
  return expected === signature ? null : "SignatureDoesNotMatch";
}
