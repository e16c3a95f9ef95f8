import { defineMessages } from "./define.ts";

export const t = defineMessages({
  title: "What you wrote here",
  help: "It was not sent. This browser keeps it for the case that somebody adds you again; you can also take it elsewhere.",
  fileHelp: "It was not sent. This browser keeps it for the case that the file comes back; you can also take it elsewhere.",
  copy: "Copy",
  copied: "Copied",
  selectIt: "Your browser does not let this page copy: select the text.",
  delete: "Delete",
});
