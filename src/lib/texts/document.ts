import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  label: "Text of {file}",
  find: "Find in this document",
  found: { one: "{count} match", other: "{count} matches" },
  notFound: "No matches",
  pages: "Pages",
  page: "Page {number} of {count}",
  part: "Part {number} of {count}",
  previous: "Previous",
  next: "Next",
  waiting: "The text of this document is being read.",
  empty: "This document has no text that can be searched. It may be a scan.",
  cut: "This document is very long. The end of it can't be searched.",
  emptyPage: "This page has no text.",
  loading: "Loading text",
});
