/** Secrets that must be readable again: AES-256-GCM under a derived key, so that a copy of the database alone tells nothing. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
/** Bytes, as GCM recommends them (NIST SP 800-38D). */
const NONCE = 12;
const TAG = 16;
/** Says how the rest is to be read. */
const PREFIX = "v1:";

export interface Sealer {
  seal(text: string): string;
  /** null: made under another key, or damaged. */
  open(sealed: string): string | null;
}

export function createSealer(key: Buffer): Sealer {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG });
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed) {
      if (!sealed.startsWith(PREFIX)) return null;
      const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
      if (bytes.length < NONCE + TAG) return null;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
