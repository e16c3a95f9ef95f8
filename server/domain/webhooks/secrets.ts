/** Signing secrets of endpoints (Standard Webhooks: `whsec_` and 32 bytes in base64), encrypted in the database. */
import { randomBytes } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { createSealer } from "../../lib/sealing.ts";

type Kept = Pick<Row<"webhook_endpoints">, "secret" | "previous_secrets">;

export interface PreviousSecret {
  /** Encrypted. */
  secret: string;
  until: number;
}

/** Those that sign besides the current one at this time, the newest first. */
export const previousSecrets = ({ previous_secrets }: Pick<Kept, "previous_secrets">, now: number): PreviousSecret[] =>
  (JSON.parse(previous_secrets) as PreviousSecret[]).filter(({ until }) => now < until);

const PREFIX = "whsec_";
const BYTES = 32;
const HINT_CHARACTERS = 4;

export type SecretBox = ReturnType<typeof createSecretBox>;

export function createSecretBox(key: Buffer) {
  const { seal, open } = createSealer(key);
  return {
    /** A new secret, as its owner gets it and as it is kept. */
    make(): { secret: string; sealed: string } {
      const secret = PREFIX + randomBytes(BYTES).toString("base64");
      return { secret, sealed: seal(secret) };
    },
    /** Its last characters, enough to tell two apart; "" where it cannot be read any more. */
    hintOf: (sealed: string): string => open(sealed)?.slice(-HINT_CHARACTERS) ?? "",
    /** What signs now: the current one first, and those before it while they are valid. Empty where the master key is another one. */
    secretsOf(endpoint: Kept, now: number): string[] {
      const current = open(endpoint.secret);
      if (current === null) return [];
      return [current, ...previousSecrets(endpoint, now).flatMap(({ secret }) => open(secret) ?? [])];
    },
  };
}
