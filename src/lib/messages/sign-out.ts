import { room } from "./define.ts";

export const t = room({
  signOut: "Sign out",
  cancel: "Cancel",
  title: "Sign out before everything is sent?",
  unsent: {
    one: "One message is not sent yet. It waits until you sign in again in this page, and is lost when the page is reloaded or closed, or somebody else signs in.",
    other:
      "{count} messages are not sent yet. They wait until you sign in again in this page, and are lost when the page is reloaded or closed, or somebody else signs in.",
  },
  allSent: "Everything has been sent by now.",
});
