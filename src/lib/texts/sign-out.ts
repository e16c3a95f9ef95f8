import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  signOut: "Sign out",
  title: "Sign out before everything is sent?",
  unsent: {
    one: "{count} message or comment hasn't been sent yet. It's saved in this browser and will be sent when you sign in here again.",
    other: "{count} messages or comments haven't been sent yet. They're saved in this browser and will be sent when you sign in here again.",
  },
  uploads: {
    one: "{count} file upload isn't finished. It resumes when you sign in here again; you may need to select the file again.",
    other: "{count} file uploads aren't finished. They resume when you sign in here again; you may need to select some files again.",
  },
  allSent: "Everything has been sent.",
});
