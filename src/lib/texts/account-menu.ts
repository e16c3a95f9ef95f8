import { defineTexts } from "./define-texts.ts";

/** Texts of the menu of the signed-in user at the bottom of the rail. */
export const t = defineTexts({
  menu: "{name}, your account",
  profile: "Profile",
  shortcuts: "Keyboard shortcuts",
  signOut: "Sign out",
});
