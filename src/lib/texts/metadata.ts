import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  metadata: "Metadata",
  noFields: "Files of this kind have no metadata fields yet.",
  setUp: "Set up metadata",
  nothing: "No metadata.",
  none: "None",
  yes: "Yes",
  formerMember: "Former member",
  saved: "Saved: {field}",
  numberInvalid: "Enter a number.",
  isrcInvalid: "Enter an ISRC: 12 characters, such as GB-ABC-26-00001.",
  dateInvalid: "Enter a day that exists.",
  textTooLong: "Enter at most {count} characters.",
  useSuggestion: "Use “{value}” from the file",
  changedMeanwhile: "Somebody else has set this to “{value}”.",
  removedMeanwhile: "Somebody else has removed this value.",
  keepTheirs: "Keep theirs",
  useMine: "Use mine",
});
