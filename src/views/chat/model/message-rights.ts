/** What the reader may do with a message, as the interface offers it. The service decides again for itself. */
import type { Message } from "../../../../contract/records.ts";

interface CurrentUser {
  accountId: number;
  canManage: boolean;
}

/** A voice note has no words, and those of a comment that is shown here are changed where the comment stands. */
export const canEditMessage = (message: Message, { accountId }: CurrentUser): boolean =>
  !message.deleted && message.account_id === accountId && !message.is_audio_message && !message.comment;

export const canDeleteMessage = (message: Message, { accountId, canManage }: CurrentUser): boolean =>
  !message.deleted && (message.account_id === accountId || canManage);
