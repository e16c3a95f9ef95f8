/** Builds the screen-reader announcement for messages that arrive while the chat is open. */
import type { Message } from "../../../../contract/records.ts";
import { formatAccessibleDuration } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as tVoice } from "../../../lib/messages/voice-note.ts";
import { excerptOf } from "../../../parts/message-text/excerpt.ts";
import { getVoiceAttachment } from "../../../parts/voice/voice-track.ts";

const MAX_LENGTH = 200;

/** Returns one message's text or a count of several; null if others sent nothing new. */
export function formatAnnouncement(
  messages: readonly Message[],
  announcedThroughId: number,
  accountId: number,
  nameOf: (accountId: number) => string,
): string | null {
  const newMessages: Message[] = [];
  for (let index = messages.length - 1; index >= 0 && messages[index]!.id > announcedThroughId; index -= 1) {
    const message = messages[index]!;
    if (message.account_id !== accountId && !message.deleted) newMessages.push(message);
  }
  const [firstMessage] = newMessages;
  if (!firstMessage) return null;
  if (newMessages.length > 1) return t("announceMessages", { count: newMessages.length });
  // A message without text is announced by its file names.
  const fullText =
    firstMessage.comment?.excerpt ||
    (firstMessage.body === "" ? describeAttachments(firstMessage) : excerptOf(firstMessage.body, nameOf, firstMessage.mentions));
  const text = fullText.length > MAX_LENGTH ? `${fullText.slice(0, MAX_LENGTH).toWellFormed()}…` : fullText;
  return t("announceMessage", { name: nameOf(firstMessage.account_id), text });
}

function describeAttachments(message: Message): string {
  const seconds = getVoiceAttachment(message)?.audio?.duration ?? 0;
  if (message.is_audio_message) return seconds > 0 ? tVoice("noteSpoken", { duration: formatAccessibleDuration(seconds) }) : tVoice("note");
  return message.attachments.map(({ name }) => name).join(", ");
}
