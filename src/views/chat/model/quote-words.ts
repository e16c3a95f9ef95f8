import type { Quote } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { excerptOf } from "../../../parts/message-text/excerpt.ts";

/** What a quote says in one line: the words, else what the message was. */
export function quoteWords(quote: Quote, nameOf: (accountId: number) => string): string {
  if (quote.deleted) return t("quoteDeleted");
  const words = excerptOf(quote.excerpt, nameOf, quote.mentions);
  if (words !== "") return words;
  return quote.is_audio_message ? t("quoteVoice") : (quote.attachment_name ?? t("quoteEmpty"));
}
