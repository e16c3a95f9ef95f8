import { defineMessages } from "./define.ts";

/** Texts about people that several views share. */
export const t = defineMessages({
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  guest: "Guest",
  ownerIs: "Everything, and decides who else is owner.",
  adminIs: "Sees every project, manages people.",
  memberIs: "Sees the projects they were added to, can create projects.",
  guestIs: "Sees and writes in the projects they were added to, nothing else.",
  you: "you",
  newPassword: "New password",
  password: "Password",
  showPassword: "Show password",
  hidePassword: "Hide password",
  passwordEmpty: "At least 12 characters; a few words are good.",
  passwordShort: { one: "One more character.", other: "{count} more characters." },
  passwordFair: "Long enough. Easy to guess if it is a common phrase.",
  passwordGood: "Good.",
  passwordStrong: "Strong.",
});
