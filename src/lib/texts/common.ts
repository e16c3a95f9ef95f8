import { defineTexts } from "./define-texts.ts";

/** Texts of dialogs, forms and buttons in every view. */
export const t = defineTexts({
  brand: "Talkback",
  cancel: "Cancel",
  close: "Close",
  done: "Done",
  save: "Save",
  copy: "Copy",
  copied: "Copied",
  copyManually: "Selected. Use your keyboard to copy.",
  retry: "Try again",
  showPassword: "Show password",
  hidePassword: "Hide password",
  account: "Account {id}",
  unknownAccount: "Unknown account",
});
