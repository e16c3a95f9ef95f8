import { defineTexts } from "./define-texts.ts";

/** Texts of the actions beside a message, its menu, the edit form and the date dialog. */
export const t = defineTexts({
  actions: "Actions",
  menu: "Message",
  more: "More",
  react: "React",
  reactWith: "React with {emoji}",
  moreEmoji: "React…",
  reply: "Reply",
  markUnread: "Mark unread from here",
  deleteKey: "Del",

  editLabel: "Edit message",
  editHint: "Enter to save · Esc to cancel",
  editEmpty: "A message can't be empty. Delete it instead?",
  editDeleted: "This message has been deleted. Copy your text or discard it.",

  dayTitle: "Jump to a date",
  dayLabel: "Date",
  dayGo: "Jump",
  dayClose: "Close",
  dayNone: "No messages on or after this date.",
});
