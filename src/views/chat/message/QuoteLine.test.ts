import { expect, test } from "vitest";
import type { Quote } from "../../../../contract/records.ts";
import { formatQuote } from "./QuoteLine.tsx";

test("a quote shows its excerpt, else the kind of its content", () => {
  const quote: Quote = { id: 1, account_id: 2, excerpt: "", mentions: [], deleted: false, is_audio_message: false, attachment_name: null };
  const nameOf = (id: number) => ({ 7: "Ana" })[id] ?? "?";
  const format = (changes: Partial<Quote>) => formatQuote({ ...quote, ...changes }, nameOf);
  expect(format({ excerpt: "so\n  <@7> and <@8>", mentions: [7] })).toBe("so @Ana and <@8>");
  expect(format({ attachment_name: "mix.wav" })).toBe("mix.wav");
  expect(format({ is_audio_message: true, attachment_name: "x.webm" })).toBe("Voice note");
  expect(format({ is_audio_message: true, attachment_name: "x.webm", audio_duration: 42.7 })).toBe("Voice note 0:42");
  expect(format({ deleted: true, excerpt: "" })).toBe("Deleted message");
});
