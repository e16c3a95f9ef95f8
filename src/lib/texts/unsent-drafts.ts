import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  title: "Unsent drafts",
  help: "These weren't sent. They're saved in this browser in case someone adds you again. You can also copy them.",
  fileHelp: "These weren't sent. They're saved in this browser in case the file becomes available again. You can also copy them.",
  copy: "Copy",
  copied: "Copied",
  copyManually: "Couldn't copy. Select the text and copy it.",
  delete: "Delete",
});
