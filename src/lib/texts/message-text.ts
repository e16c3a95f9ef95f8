import { defineTexts } from "./define-texts.ts";

/** Texts that messages in the chat and comments on a file share. */
export const t = defineTexts({
  playFrom: "Play {name} from {time}",
  linkHost: "({host})",
  edited: "edited",

  insertEmoji: "Insert emoji",
  suggestPeople: "People",
  suggestEmoji: "Emoji",

  edit: "Edit",
  copyText: "Copy text",
  copyLink: "Copy link",
  delete: "Delete",
  textCopied: "Text copied",
  linkCopied: "Link copied",
  notCopied: "Couldn't copy. Copy it manually: {text}",

  tooLong: { one: "{count} character too long", other: "{count} characters too long" },
  charactersLeft: { one: "{count} character left", other: "{count} characters left" },
  save: "Save",
  cancel: "Cancel",
  discardText: "Discard",
  notSaved: "Couldn't save: {reason}",

  waiting: "Waiting to send",
  notPersisted: "Not saved in this browser. Keep this tab open until it's sent.",
  failed: "Not sent",
  failedBecause: "Not sent: {reason}",
  retry: "Retry",
  discardUnsent: "Delete",
  moveToDraft: "Move to draft",
});
