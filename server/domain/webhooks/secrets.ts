/** Signing secrets of endpoints (Standard Webhooks: `whsec_` and 32 bytes in base64), encrypted in the database. */
import { randomBytes } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { createSealer } from "../../lib/sealing.ts";

type Kept = Pick<Row<"webhook_endpoints">, "secret" | "previous_secret" | "previous_secret_until">;

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
    secretsOf({ secret, previous_secret, previous_secret_until }: Kept, now: number): string[] {
      const current = open(secret);
      if (current === null) return [];
      const previous = previous_secret !== null && now < (previous_secret_until ?? 0) ? open(previous_secret) : null;
      return previous === null ? [current] : [current, previous];
    },
  };
}
