import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  note: "Voice note",
  noteWithDuration: "Voice note {duration}",
  noteAccessible: "Voice note, {duration}",
  from: "Voice note from {name}",
  yours: "Your voice note",
  seekIn: "Position in {name}",
  speed: "Voice note speed: {rate}×",
  rate: "{rate}×",
  record: "Record a voice note",
  stop: "Stop recording",
  requestingMicrophone: "Requesting microphone access",
  announceSending: "Sending voice note, {duration}",
  waitingToUpload: "Waiting to upload…",
  percent: "{percent}% of {size}",
  failed: "Upload failed: {reason}",
  lost: "This browser no longer has the recording.",
  moveToDraft: "Move to draft",
  announceMovedToDraft: "Voice note not sent. It's a draft above the message field again.",
  moveToDraftFailed: "Couldn't move the voice note to a draft because the server can't be reached. It's still waiting to send.",
});
