/** What the reader may do with a message, as the interface offers it. The service decides again for itself. */
import type { Message } from "../../../../contract/records.ts";

interface Reader {
  accountId: number;
  manages: boolean;
}

export const mayEdit = (message: Message, { accountId }: Reader): boolean => !message.deleted && message.account_id === accountId && !message.is_audio_message;

export const mayDelete = (message: Message, { accountId, manages }: Reader): boolean => !message.deleted && (message.account_id === accountId || manages);
