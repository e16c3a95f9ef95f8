/** Verifies a webhook as any receiver should: Standard Webhooks 1.0, HMAC-SHA256 over `id.timestamp.body`. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Allowed clock difference in seconds. An older request may be a replay. */
const TOLERANCE = 300;

export type VerificationResult = "genuine" | "no signature" | "not signed with this secret" | "too old" | "from the future";

const decodeSecret = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
export const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]+=*$/.test(text) && decodeSecret(text).length >= 24;

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `now` is in milliseconds. The signature may match any of the secrets. */
export function verify(headers: Record<string, string | string[] | undefined>, body: string, secrets: readonly string[], now: number): VerificationResult {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name] ?? ""));
  if (!id || !timestamp || !signatures || !/^\d+$/.test(timestamp)) return "no signature";
  const expected = secrets.map((secret) => `v1,${createHmac("sha256", decodeSecret(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")}`);
  if (!signatures.split(" ").some((signature) => expected.some((expectedSignature) => isSame(signature, expectedSignature))))
    return "not signed with this secret";
  const age = now / 1_000 - Number(timestamp);
  if (age > TOLERANCE) return "too old";
  return age < -TOLERANCE ? "from the future" : "genuine";
}
