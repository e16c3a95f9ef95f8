import { room } from "./define.ts";

export const t = room({
  signOut: "Sign out",
  cancel: "Cancel",
  title: "Sign out before everything is sent?",
  unsent: {
    one: "One message is not sent yet. This browser keeps it and sends it when you sign in here again.",
    other: "{count} messages are not sent yet. This browser keeps them and sends them when you sign in here again.",
  },
  allSent: "Everything has been sent by now.",
});
