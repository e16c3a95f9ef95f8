import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  menu: "Notifications of {project}",
  title: "Notify me about",
  all: "All",
  allHint: "Mentions, replies, comments, tasks and statuses",
  mentions: "Mentions and replies",
  mentionsHint: "Only when someone calls you",
  nothing: "Nothing",
  nothingHint: "The project is muted",
  more: "More",
  settings: "Notification settings",
  notSaved: "Couldn't save: {reason}",
});
