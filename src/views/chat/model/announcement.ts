/** What a screen reader hears when messages arrive while the chat is open. */
import type { Message } from "../../../../contract/records.ts";
import { spokenDuration } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as voice } from "../../../lib/messages/voice-note.ts";
import { excerptOf } from "../../../parts/message-text/excerpt.ts";
import { voiceOf } from "../../../parts/voice/voice-track.ts";

const LONGEST = 200;

/** One message is read, several are counted; null for nothing new from others. */
export function announcementOf(messages: readonly Message[], heardThrough: number, accountId: number, nameOf: (accountId: number) => string): string | null {
  const news: Message[] = [];
  for (let index = messages.length - 1; index >= 0 && messages[index]!.id > heardThrough; index -= 1) {
    const message = messages[index]!;
    if (message.account_id !== accountId && !message.deleted) news.push(message);
  }
  const [only] = news;
  if (!only) return null;
  if (news.length > 1) return t("saidMany", { count: news.length });
  // What only carries files is told by their names.
  const whole = only.comment?.excerpt || (only.body === "" ? filesIn(only) : excerptOf(only.body, nameOf, only.mentions));
  const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST).toWellFormed()}…` : whole;
  return t("said", { name: nameOf(only.account_id), text });
}

function filesIn(message: Message): string {
  const seconds = voiceOf(message)?.audio?.duration ?? 0;
  if (message.is_audio_message) return seconds > 0 ? voice("noteSpoken", { duration: spokenDuration(seconds) }) : voice("note");
  return message.attachments.map(({ name }) => name).join(", ");
}
