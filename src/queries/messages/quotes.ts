/** What a reply shows of the message it answers is told by that message as it stands now. */
import type { Message, Quote } from "../../../contract/records.ts";

/** Characters of the body that a quote keeps, as the service cuts it. */
const EXCERPT = 200;

/** What replies to this message show of it. */
export function quoteOf(message: Message): Quote {
  const excerpt = message.deleted ? "" : [...message.body].slice(0, EXCERPT).join("");
  return {
    id: message.id,
    account_id: message.account_id,
    excerpt,
    mentions: message.deleted ? [] : (message.mentions ?? []).filter((id) => excerpt.includes(`<@${id}>`)),
    deleted: message.deleted === true,
    is_audio_message: message.is_audio_message,
    attachment_name: message.deleted ? null : (message.attachments[0]?.name ?? null),
    audio_duration: message.deleted || !message.is_audio_message ? null : message.attachments[0]?.audio?.duration || null,
  };
}

/** Lets every loaded reply to a message show it as it is now. */
export function requote(messages: readonly Message[], parent: Message): readonly Message[] {
  const quote = quoteOf(parent);
  let changed = false;
  const next = messages.map((message) => {
    if (message.parent?.id !== parent.id || isSame(message.parent, quote)) return message;
    changed = true;
    return { ...message, parent: { ...message.parent, ...quote } };
  });
  return changed ? next : messages;
}

const isSame = (one: Quote, other: Quote) =>
  one.excerpt === other.excerpt &&
  one.deleted === other.deleted &&
  one.attachment_name === other.attachment_name &&
  (one.audio_duration ?? null) === (other.audio_duration ?? null) &&
  one.mentions.length === other.mentions.length &&
  one.mentions.every((id, index) => id === other.mentions[index]);
