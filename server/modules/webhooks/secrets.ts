/** Signing secrets of endpoints (Standard Webhooks: `whsec_` and 32 bytes in base64), encrypted in the database. */
import { randomBytes } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { createTextCipher } from "../../lib/crypto.ts";

type StoredSecrets = Pick<Row<"webhook_endpoints">, "secret" | "previous_secrets">;

export interface PreviousSecret {
  /** Encrypted. */
  secret: string;
  until: number;
}

/** Returns the previous secrets that still sign at this time, newest first. */
export const previousSecrets = ({ previous_secrets }: Pick<StoredSecrets, "previous_secrets">, now: number): PreviousSecret[] =>
  (JSON.parse(previous_secrets) as PreviousSecret[]).filter(({ until }) => now < until);

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

export type EndpointSecrets = ReturnType<typeof createEndpointSecrets>;

export function createEndpointSecrets(key: Buffer) {
  const { encrypt, decrypt } = createTextCipher(key);
  return {
    /** Returns a new secret, in plain text for its owner and encrypted for storage. */
    generate(): { secret: string; encrypted: string } {
      const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
      return { secret, encrypted: encrypt(secret) };
    },
    /** Returns the last characters of the secret, enough to distinguish two; "" if it cannot be decrypted. */
    hintOf: (encrypted: string): string => decrypt(encrypted)?.slice(-HINT_CHARACTERS) ?? "",
    /** Returns the secrets that sign now, the current one first; empty if the current one was encrypted with another master key. */
    decryptSecrets(endpoint: StoredSecrets, now: number): string[] {
      const current = decrypt(endpoint.secret);
      if (current === null) return [];
      return [current, ...previousSecrets(endpoint, now).flatMap(({ secret }) => decrypt(secret) ?? [])];
    },
  };
}
