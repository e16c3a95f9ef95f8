import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  downloadFailed: "Couldn't download {name}: {reason}",
});
