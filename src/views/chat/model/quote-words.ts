import type { Quote } from "../../../../contract/records.ts";
import { formatPosition } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as tVoice } from "../../../lib/messages/voice-note.ts";
import { excerptOf } from "../../../parts/message-text/excerpt.ts";

/** Formats a quote as one line: its text, else a description of the message. */
export function formatQuote(quote: Quote, nameOf: (accountId: number) => string): string {
  if (quote.deleted) return t("quoteDeleted");
  const excerpt = excerptOf(quote.excerpt, nameOf, quote.mentions);
  if (excerpt !== "") return excerpt;
  if (!quote.is_audio_message) return quote.attachment_name ?? t("quoteEmpty");
  return quote.audio_duration ? tVoice("noteLong", { duration: formatPosition(quote.audio_duration) }) : tVoice("note");
}
