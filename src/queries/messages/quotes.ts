/** Keeps the quotes in replies current with the quoted message. */
import type { Message, Quote } from "../../../contract/records.ts";

/** Characters of the body in a quote, by the service's limit. */
const EXCERPT_LENGTH = 200;

/** Returns the quote that replies to this message show. */
export function toQuote(message: Message): Quote {
  const excerpt = message.deleted ? "" : [...message.body].slice(0, EXCERPT_LENGTH).join("");
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

/** Updates the quote of a message in every loaded reply. */
export function patchQuotes(messages: readonly Message[], parent: Message): readonly Message[] {
  const quote = toQuote(parent);
  let hasChanged = false;
  const next = messages.map((message) => {
    if (message.parent?.id !== parent.id || isSameQuote(message.parent, quote)) return message;
    hasChanged = true;
    return { ...message, parent: { ...message.parent, ...quote } };
  });
  return hasChanged ? next : messages;
}

const isSameQuote = (a: Quote, b: Quote) =>
  a.excerpt === b.excerpt &&
  a.deleted === b.deleted &&
  a.attachment_name === b.attachment_name &&
  (a.audio_duration ?? null) === (b.audio_duration ?? null) &&
  a.mentions.length === b.mentions.length &&
  a.mentions.every((id, index) => id === b.mentions[index]);
