import { defineMessages } from "./define.ts";

export const t = defineMessages({
  note: "Voice note",
  noteLong: "Voice note {duration}",
  noteSpoken: "Voice note, {duration}",
  from: "Voice note from {name}",
  yours: "Your voice note",
  seekIn: "Position in {name}",
  speed: "Speed {rate}×, change",
  rate: "{rate}×",
  record: "Record a voice note",
  stop: "Stop recording",
  calling: "Asking for the microphone",
  notLoaded: "The recorder could not be loaded. Check your connection and press again.",
  sentSpoken: "Voice note of {duration} goes out",
  waitingFor: "Waiting for its upload…",
  percent: "{percent} % of {size}",
  failed: "The upload failed: {fault}",
  lost: "This browser has not kept its sound.",
  takeBack: "Take back",
  takenBackSpoken: "The voice note is not sent. It stands above the text again.",
  notTakenBack: "It could not be taken back: its sound is with the service, which is not reached. It still waits.",
});
