/** Generates random secrets and hashes them: a secret is shown once, only its SHA-256 is stored. */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
/** A short public id for a secret: lower-case letters and digits. */
export const newPublicId = (): string => randomBytes(6).toString("hex").slice(0, 8);
/** Id of one request, for its response and the log. */
export const newRequestId = (): string => randomBytes(9).toString("base64url");
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Compares in constant time; strings of different byte lengths are unequal. */
export function secretsEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Derives a key for one purpose from the master key (HKDF-SHA-256, RFC 5869). */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `talkback/${purpose}`, 32));
}
