/** What the reader may do with a message, as the interface offers it. The service decides again for itself. */
import type { Message } from "../../../../contract/records.ts";

interface Reader {
  accountId: number;
  manages: boolean;
}

/** A voice note has no words, and those of a comment that is shown here are changed where the comment stands. */
export const mayEdit = (message: Message, { accountId }: Reader): boolean =>
  !message.deleted && message.account_id === accountId && !message.is_audio_message && !message.comment;

export const mayDelete = (message: Message, { accountId, manages }: Reader): boolean => !message.deleted && (message.account_id === accountId || manages);
