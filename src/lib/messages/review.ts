import { defineMessages } from "./define.ts";

export const t = defineMessages({
  title: "{file} · Talkback",
  loading: "Loading the file",
  back: "Back to the chat",
  backToFiles: "Back to the files",
  inChat: "In chat",
  download: "Download",
  missingTitle: "This file is not here",
  missingHelp: "It was deleted, or you are not in its project. Somebody who is can add you.",
  failedTitle: "The file could not be loaded",
  toProjects: "Go to your projects",

  waitingTitle: "Waiting to be processed",
  waitingHelp: "What is still missing appears here by itself.",
  transcoding: "Being processed",
  transcodingPercent: "Being processed, {percent} %",
  processingFailed: "The file could not be processed",
  processingFailedHelp: "The original is kept as it is and can be downloaded.",
  runAgain: "Run again",
  runAgainGuest: "Somebody who is not a guest can run it again.",

  image: "Picture {file}",
  openFull: "Open in full size",
  noPreview: "There is no preview of this kind of file. Download it to open it.",
  previewLater: "What can be shown of it appears here once it is processed.",
  brokenPreview: "This browser cannot show it. Download it to open it.",
  folder: "This is a folder",
  openFolder: "Open it in the files",
});
