import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  title: "Connect an app",
  lead: "An app asks for access to your account.",
  unverified: "Unverified",
  unverifiedHelp: "Anyone can register an app under any name. Only continue if you started this, and if you trust where it sends you.",
  sendsTo: "Sends you to {host}",
  sendsToLocal: "Sends you to an app on this computer ({host})",
  account: "Account",
  notYou: "Not you?",
  signOut: "Sign out",
  willBeAble: "It will be able to",
  never: "It can't see or change your password, change your profile, create API tokens or connect other apps.",
  expires: "Access ends by {when}. You can end it at any time in Settings, under “Connected apps”.",
  adminTitle: "This app asks for far-reaching access",
  adminHelp: "It could change who belongs to the organization and what they can do.",
  allow: "Allow",
  cancel: "Cancel",
  invalid: "This request doesn't work",
  invalidHelp: "Nothing was shared with the app. Go back to it and try to connect again. If this keeps happening, tell the app's developer what it says here.",
  repeated: "The request contains “{name}” more than once.",
  toTalkback: "Open Talkback",
});
