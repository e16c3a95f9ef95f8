/** The links at the end of emails: who has one can unsubscribe its account without signing in. */
import { createHmac } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { secretsEqual } from "../../lib/crypto.ts";

const TOKEN = /^([1-9]\d{0,14})\.([\w-]{43})$/;

type LinkedAccount = Pick<Row<"accounts">, "id" | "email_key">;

export function createMailLinks(key: Buffer, publicUrl: string) {
  const sign = ({ id, email_key }: LinkedAccount): string => createHmac("sha256", key).update(`${id}:${email_key}`).digest("base64url");
  const toToken = (account: LinkedAccount): string => `${account.id}.${sign(account)}`;
  return {
    /** For the header of an email: mail programs post to it (RFC 8058). */
    oneClickUrl: (account: LinkedAccount): string => `${publicUrl}/api/v2/mail/unsubscribe?token=${toToken(account)}`,
    /** For its text. The page does not send what follows the `#`, so that no log has it. */
    pageUrl: (account: LinkedAccount): string => `${publicUrl}/unsubscribe#${toToken(account)}`,
    /** Returns the account that a token names, before it is verified; null if it is malformed. */
    accountIdOf: (token: string): number | null => {
      const [, id] = TOKEN.exec(token) ?? [];
      return id === undefined ? null : Number(id);
    },
    /** A link ends when the account gets another address: whoever reads the old mailbox has nothing to do with the new one. */
    isValid: (token: string, account: LinkedAccount): boolean => secretsEqual(token, toToken(account)),
  };
}
export type MailLinks = ReturnType<typeof createMailLinks>;
