import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  label: "File {file}",
  openPage: "Open file page",
  close: "Close file",
  player: "Player",
  position: "Position in {file}",
  resize: "Width of the file pane",
  missing: "File unavailable",
  loading: "Loading file",
});
