import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  label: "Browser notifications",
  question: "Get a notification when someone mentions or replies to you, even while Talkback is closed?",
  turnOn: "Turn on",
  notNow: "Not now",
  on: "Notifications are on in this browser.",
  denied: "Your browser blocks notifications. Allow them in its site settings.",
  failed: "Couldn't turn on notifications. Check your connection and try again.",
});
