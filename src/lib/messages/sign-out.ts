import { defineMessages } from "./define.ts";

export const t = defineMessages({
  signOut: "Sign out",
  cancel: "Cancel",
  title: "Sign out before everything is sent?",
  unsent: {
    one: "One message or comment is not sent yet. This browser keeps it and sends it when you sign in here again.",
    other: "{count} messages or comments are not sent yet. This browser keeps them and sends them when you sign in here again.",
  },
  uploads: {
    one: "One upload into the files is not finished. It goes on when you sign in here again; what this browser has no copy of is asked for once more.",
    other: "{count} uploads into the files are not finished. They go on when you sign in here again; what this browser has no copy of is asked for once more.",
  },
  allSent: "Everything has been sent by now.",
});
