/** The two links in a confirmation email: who has them reads the mailbox. One confirms the address for its account and expires, the other blocks the address. */
import { createHmac } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { secretsEqual } from "../../lib/crypto.ts";

const CONFIRMATION = /^([1-9]\d{0,14})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;
const BLOCK = /^block\.([1-9]\d{0,14})\.([\w-]{22})\.([\w-]{43})$/;

type LinkedAccount = Pick<Row<"accounts">, "id" | "email_key">;

interface LinkToken {
  /** The account that the email was for. */
  accountId: number;
  /** Identifies the address that the email was sent to. */
  addressTag: string;
}
export interface ConfirmationToken extends LinkToken {
  expiresAt: number;
}

export function createConfirmationLinks(key: Buffer, publicUrl: string) {
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  // The purpose comes first, so that no token is valid for another one, also not that of the link in other emails, which begins with an id.
  const signConfirmation = (content: string): string => sign(`confirm:${content}`);
  const signBlock = (content: string): string => sign(`block:${content}`);
  const toAddressTag = (emailKey: string): string => sign(`address:${emailKey}`).slice(0, 22);
  const toBlockToken = ({ id, email_key }: LinkedAccount): string => {
    const content = `${id}.${toAddressTag(email_key)}`;
    return `block.${content}.${signBlock(content)}`;
  };
  return {
    toAddressTag,
    /** Pages do not send what follows the `#`, so that no log has it. */
    confirmUrl({ id, email_key }: LinkedAccount, expiresAt: number): string {
      const content = `${id}.${expiresAt}.${toAddressTag(email_key)}`;
      return `${publicUrl}/confirm-email#${content}.${signConfirmation(content)}`;
    },
    blockUrl: (account: LinkedAccount): string => `${publicUrl}/unsubscribe#${toBlockToken(account)}`,
    /** For the header of the email. */
    oneClickBlockUrl: (account: LinkedAccount): string => `${publicUrl}/api/v2/mail/unsubscribe?token=${toBlockToken(account)}`,
    /** Returns null for a token that this service has not made, as `readBlock` does. */
    readConfirmation(token: string): ConfirmationToken | null {
      const [, id, expiresAt, addressTag, signature = ""] = CONFIRMATION.exec(token) ?? [];
      if (addressTag === undefined || !secretsEqual(signature, signConfirmation(`${id}.${expiresAt}.${addressTag}`))) return null;
      return { accountId: Number(id), expiresAt: Number(expiresAt), addressTag };
    },
    /** It works whatever address the account has by now. */
    readBlock(token: string): LinkToken | null {
      const [, id, addressTag, signature = ""] = BLOCK.exec(token) ?? [];
      if (addressTag === undefined || !secretsEqual(signature, signBlock(`${id}.${addressTag}`))) return null;
      return { accountId: Number(id), addressTag };
    },
  };
}
export type ConfirmationLinks = ReturnType<typeof createConfirmationLinks>;
