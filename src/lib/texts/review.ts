import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  title: "{file} · Talkback",
  loading: "Loading file",
  back: "Back",
  path: "Path",
  folders: "Folders in between",
  formerMember: "Former member",
  inChat: "In chat",
  download: "Download",
  missingTitle: "File not found",
  missingHelp: "It was deleted, or you don't have access. Ask a project member to add you.",
  failedTitle: "Couldn't load this file",
  toProjects: "Go to your projects",

  waitingTitle: "Waiting for processing",
  waitingHelp: "This page updates automatically.",
  processing: "Processing…",
  processingPercent: "Processing… {percent}%",
  processingFailed: "Processing failed",
  processingFailedHelp: "The original file is unchanged and can be downloaded.",
  runAgain: "Run again",
  runAgainGuest: "Guests can't run the processing again. Ask a member.",

  image: "Image {file}",
  openFull: "Open full size",
  noPreview: "No preview available.",
  previewLater: "The preview will appear here after processing.",
  brokenPreview: "This browser can't display this file. Download it to view it.",
  folder: "This is a folder",
  openFolder: "Open in Files",
  folderNotListed: "This service doesn't offer listing what is in it.",
});
