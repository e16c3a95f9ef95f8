/** Secrets and hashes: generates and hashes those that are shown once, derives keys from the master key, and encrypts what must be read back. */
import { createCipheriv, createDecipheriv, createHash, hash, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
/** In bytes, as recommended for GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Format version of the encrypted text. */
const PREFIX = "v1:";

/** 256 random bits, URL-safe. */
export const newSecret = (): string => randomBytes(32).toString("base64url");
/** A short public id for a secret: lower-case letters and digits. */
export const newPublicId = (): string => randomBytes(6).toString("hex").slice(0, 8);
/** Id of one request, for its response and the log. */
export const newRequestId = (): string => randomUUID();
/** SHA-256 of a value as JSON, by which two requests or results are compared. */
export const hashJson = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
/** Only this SHA-256 of a secret is stored. */
export const hashSecret = (secret: string): string => hash("sha256", secret);

/** Compares in constant time; strings of different byte lengths are unequal. */
export function secretsEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Derives a key for one purpose from the master key (HKDF-SHA-256, RFC 5869). */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `talkback/${purpose}`, 32));
}

interface TextCipher {
  encrypt(text: string): string;
  /** Returns null if the text was encrypted with another key, or is damaged. */
  decrypt(encrypted: string): string | null;
}

/** Encrypts with AES-256-GCM under a derived key, so that a copy of the database alone reveals nothing. */
export function createTextCipher(key: Buffer): TextCipher {
  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    decrypt(encrypted) {
      if (!encrypted.startsWith(PREFIX)) return null;
      const bytes = Buffer.from(encrypted.slice(PREFIX.length), "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
