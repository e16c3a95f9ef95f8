/** Stores the addresses of browsers, encrypted: who knows one can send it messages. */
import type { PushTarget } from "../../delivery/send-push.ts";
import { createTextCipher, hashSecret } from "../../lib/crypto.ts";

export type PushTargets = ReturnType<typeof createPushTargets>;

export function createPushTargets(key: Buffer) {
  const { encrypt, decrypt } = createTextCipher(key);
  return {
    toColumns: (target: PushTarget) => ({ endpoint_hash: hashSecret(target.endpoint), target: encrypt(JSON.stringify(target)) }),
    /** Returns null if it was encrypted with another master key. */
    fromColumn(target: string): PushTarget | null {
      const text = decrypt(target);
      return text === null ? null : (JSON.parse(text) as PushTarget);
    },
  };
}
