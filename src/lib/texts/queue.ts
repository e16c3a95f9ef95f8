import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  next: "Next track",
  previous: "Previous track",
  open: "Open {title}",
  skipped: "Couldn't play {name}",
  position: "{position} of {count} in {title}",
});
