import { defineTexts } from "./define-texts.ts";

/**
 * Texts of what the chat loads on first use: the actions beside a message, its menu, the edit form, the emoji picker and the date dialog. Texts that an
 * open chat needs at once are in `chat.ts`, and so are all notices and announcements, including those of these actions; search is in `chat-search.ts`.
 */
export const t = defineTexts({
  actions: "Actions",
  menu: "Message",
  more: "More",
  react: "React",
  reactWith: "React with {emoji}",
  moreEmoji: "React…",
  reply: "Reply",
  edit: "Edit",
  copyText: "Copy text",
  copyLink: "Copy link",
  markUnread: "Mark unread from here",
  delete: "Delete",
  deleteKey: "Del",

  editLabel: "Edit message",
  save: "Save",
  cancel: "Cancel",
  editHint: "Enter to save · Esc to cancel",
  editEmpty: "A message can't be empty. Delete it instead?",
  editTooLong: { one: "{count} character too long", other: "{count} characters too long" },
  editDeleted: "This message has been deleted. Copy your text or discard it.",
  discard: "Discard",

  pickEmoji: "Choose an emoji",
  searchEmoji: "Search emoji",
  noEmoji: "No emoji found",
  recent: "Recent",
  smileys: "Smileys",
  people: "People",
  nature: "Nature",
  food: "Food",
  places: "Places",
  things: "Objects",
  symbols: "Symbols",

  dayTitle: "Jump to a date",
  dayLabel: "Date",
  dayGo: "Jump",
  dayClose: "Close",
  dayNone: "No messages on or after this date.",
});
