import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  activity: "Activity",
  lead: "Everything {name} changed in your projects in the last {days} days.",
  empty: "Nothing yet",
  emptyHelp: "What {name} posts, adds and changes is listed here, and you can undo it.",
  noneInProject: "Nothing in this project",
  allProjects: "All projects",
  project: "Project",
  older: "Show older",
  change: "{from} → {to}",
  changeTo: "To {to}",
  inRun: "By a task",
  byToken: "By a program",

  undo: "Undo",
  undoLabel: "Undo: {action}",
  undone: "Undone",
  undoneBy: "Undone by {name}",
  wasUndone: "{action}: undone.",
  undoTitle: "Undo “{action}”?",
  confirmUndo: "Undo",
  undoMessage: "The message is deleted for everyone.",
  undoComment: "The comment is deleted for everyone.",
  undoTask: "The task is deleted.",
  undoFile: "It is deleted with everything in it. It can be restored for 30 days.",
  undoPlaylist: "The playlist is deleted. It can be restored for 30 days.",

  undoRun: "Undo…",
  undoRunLabel: "Undo… the run of {when}",
  undoRunTitle: "Undo everything this run did?",
  undoRunHelp: "What it posted and added is deleted, and what it changed goes back to how it was. What somebody has changed since stays.",
  confirmUndoRun: "Undo everything",
  runUndone: {
    one: "{count} change undone.",
    other: "{count} changes undone.",
  },
  runNothing: "Nothing was left to undo.",
  runPartly: {
    one: "{count} could not be undone: {reason}",
    other: "{count} could not be undone. The first: {reason}",
  },
});
