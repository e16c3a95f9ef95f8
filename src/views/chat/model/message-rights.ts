/** Decides which message actions the interface offers; the service authorizes each request itself. */
import type { Message } from "../../../../contract/records.ts";

interface CurrentUser {
  accountId: number;
  canManage: boolean;
}

/** A voice note has no text, and a shared comment is edited where it was written. */
export const canEditMessage = (message: Message, { accountId }: CurrentUser): boolean =>
  !message.deleted && message.account_id === accountId && !message.is_audio_message && !message.comment;

export const canDeleteMessage = (message: Message, { accountId, canManage }: CurrentUser): boolean =>
  !message.deleted && (message.account_id === accountId || canManage);
