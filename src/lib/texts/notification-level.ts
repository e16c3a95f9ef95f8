import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  menu: "Notifications of {project}",
  title: "Notify me about",
  default: "Default",
  defaultHint: "As in your notification settings",
  mentions: "Mentions and replies",
  mentionsHint: "Only @mentions and replies to you",
  custom: "Custom",
  customHint: "As you chose for this project in Settings",
  mute: "Mute",
  unmute: "Unmute",
  replaced: "The custom notifications of {project} were replaced.",
  undo: "Undo",
  more: "More",
  settings: "Notification settings",
  notSaved: "Couldn't save: {reason}",
});
