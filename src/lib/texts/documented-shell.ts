import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  openChat: "Open a chat",
  projectId: "Project ID",
  openFile: "Open a file",
  fileId: "File ID",
  open: "Open",
  notAnId: "Enter a whole number, such as 42.",
  webhooks: "Webhooks",
  home: "Home",
});
