/** The link in a confirmation email: who has it reads the mailbox. It is for one account and one address, and expires. */
import { createHmac } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { secretsEqual } from "../../lib/crypto.ts";

const TOKEN = /^([1-9]\d{0,14})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

type LinkedAccount = Pick<Row<"accounts">, "id" | "email_key">;

export interface ConfirmationToken {
  accountId: number;
  expiresAt: number;
  /** Returns whether the account still has the address that the link was sent to. */
  isFor(account: LinkedAccount): boolean;
}

export function createConfirmationLinks(key: Buffer, publicUrl: string) {
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  // The purpose comes first, so that no link at the end of other emails, which begins with an id, is valid here.
  const signToken = (content: string): string => sign(`confirm:${content}`);
  const toAddressTag = (emailKey: string): string => sign(`address:${emailKey}`).slice(0, 22);
  return {
    /** The page does not send what follows the `#`, so that no log has it. */
    pageUrl({ id, email_key }: LinkedAccount, expiresAt: number): string {
      const content = `${id}.${expiresAt}.${toAddressTag(email_key)}`;
      return `${publicUrl}/confirm-email#${content}.${signToken(content)}`;
    },
    /** Returns null for a token that this service has not made. */
    read(token: string): ConfirmationToken | null {
      const [, id, expiresAt, tag, signature = ""] = TOKEN.exec(token) ?? [];
      if (tag === undefined || !secretsEqual(signature, signToken(`${id}.${expiresAt}.${tag}`))) return null;
      return { accountId: Number(id), expiresAt: Number(expiresAt), isFor: ({ email_key }) => secretsEqual(tag, toAddressTag(email_key)) };
    },
  };
}
