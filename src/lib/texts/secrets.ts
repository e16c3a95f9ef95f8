import { defineTexts } from "./define-texts.ts";

/** Texts about secrets and links that are shown once. */
export const t = defineTexts({
  close: "Close",
  done: "Done",
  copy: "Copy",
  copied: "Copied",
  copyManually: "Selected. Use your keyboard to copy.",
});
