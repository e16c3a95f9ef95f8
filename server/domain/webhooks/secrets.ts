/** Signing secrets of endpoints (Standard Webhooks: `whsec_` and 32 bytes in base64), encrypted in the database. */
import { randomBytes } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { createTextCipher } from "../../lib/sealing.ts";

type StoredSecrets = Pick<Row<"webhook_endpoints">, "secret" | "previous_secrets">;

export interface PreviousSecret {
  /** Encrypted. */
  secret: string;
  until: number;
}

/** Those that sign besides the current one at this time, the newest first. */
export const previousSecrets = ({ previous_secrets }: Pick<StoredSecrets, "previous_secrets">, now: number): PreviousSecret[] =>
  (JSON.parse(previous_secrets) as PreviousSecret[]).filter(({ until }) => now < until);

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

export type EndpointSecrets = ReturnType<typeof createEndpointSecrets>;

export function createEndpointSecrets(key: Buffer) {
  const { encrypt, decrypt } = createTextCipher(key);
  return {
    /** A new secret, as its owner gets it and as it is kept. */
    generate(): { secret: string; encrypted: string } {
      const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
      return { secret, encrypted: encrypt(secret) };
    },
    /** Its last characters, enough to tell two apart; "" where it cannot be read any more. */
    hintOf: (encrypted: string): string => decrypt(encrypted)?.slice(-HINT_CHARACTERS) ?? "",
    /** What signs now: the current one first, and those before it while they are valid. Empty where the master key is another one. */
    secretsOf(endpoint: StoredSecrets, now: number): string[] {
      const current = decrypt(endpoint.secret);
      if (current === null) return [];
      return [current, ...previousSecrets(endpoint, now).flatMap(({ secret }) => decrypt(secret) ?? [])];
    },
  };
}
