import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  title: "Recently deleted",
  pageTitle: "Recently deleted · {project} · Talkback",
  lead: "Deleted files and folders can be restored for 30 days.",
  backToFiles: "Back to files",
  empty: "Nothing was deleted in the last 30 days",
  emptyHelp: "What you delete appears here and can be restored.",
  select: "Select {name}",
  selectAll: "Select all",
  selected: { one: "{count} selected", other: "{count} selected" },
  restore: "Restore",
  restoreFile: "Restore {name}",
  restoreSelected: { one: "Restore {count} item", other: "Restore {count} items" },
  inRoot: "Files",
  contains: { one: "{count} item inside", other: "{count} items inside" },
  deletedBy: "Deleted by {name}",
  formerMember: "Former member",
  daysLeft: { one: "{count} day left", other: "{count} days left" },
  lastDay: "Less than a day left",
  more: "Show more",
  restored: { one: "“{name}” restored to {folder}.", other: "{count} items restored." },
  restoredAnywhere: { one: "“{name}” restored.", other: "{count} items restored." },
  restoredAs: "“{name}” restored to {folder} as “{now}”.",
  show: "Show",
  notRestored: "Couldn't restore. {reason}",

  // The page of a deleted file.
  fileDeleted: "“{name}” was deleted",
  fileDeletedHelp: "Deleted by {who}, {when}. It can be restored until {until}.",
});
