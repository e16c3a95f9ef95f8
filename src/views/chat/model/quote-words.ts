import type { Quote } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";

/** What a quote says in one line: the words, else what the message was. */
export function quoteWords(quote: Quote, nameOf: (accountId: number) => string): string {
  if (quote.deleted) return t("quoteDeleted");
  const words = quote.excerpt
    .replace(/<@(\d+)>/g, (whole, id: string) => (quote.mentions.includes(Number(id)) ? `@${nameOf(Number(id))}` : whole))
    .replace(/\s+/g, " ")
    .trim();
  if (words !== "") return words;
  return quote.is_audio_message ? t("quoteVoice") : (quote.attachment_name ?? t("quoteEmpty"));
}
