import { defineTexts } from "./define-texts.ts";

/** Texts about people that several views share. */
export const t = defineTexts({
  owner: "Owner",
  admin: "Admin",
  member: "Member",
  guest: "Guest",
  ownerDescription: "Full access, including managing owners.",
  adminDescription: "Can see all projects and manage people.",
  memberDescription: "Can see assigned projects and create new ones.",
  guestDescription: "Can only see and post in assigned projects.",
  you: "you",
  newPassword: "New password",
  password: "Password",
  passwordEmpty: "At least 12 characters. A phrase works well.",
  passwordShort: { one: "{count} more character needed.", other: "{count} more characters needed." },
  passwordFair: "Long enough, but easy to guess if it is a common phrase.",
  passwordGood: "Good.",
  passwordStrong: "Strong.",
});
