import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  offline: "Can't reach the server",
  unconfirmedHelp: "We couldn't confirm this. Nothing you typed was lost. Try again.",
  loadHelp: "Check your connection and try again.",
  timeout: "The server took too long to respond",
  malformed: "Unexpected response from the server",
  malformedHelp: "This page may be out of date. Reload it and try again.",
  serverError: "Something went wrong on the server",
  serverErrorHelp: "Nothing you typed was lost. Try again. If this keeps happening, contact your administrator.",
  noSpace: "The server is out of storage space",
  noSpaceHelp: "Nothing was saved. What you typed is still here. Contact your administrator.",
  tooMany: "Too many attempts",
  tooManyHelp: { one: "Wait a minute, then try again.", other: "Wait {count} minutes, then try again." },
  request: "Request {id}",
  unknown: "Something went wrong",
  unknownHelp: "Nothing you typed was lost. Try again, or reload the page.",
  fieldRequired: "{label} is required.",
  fieldError: "{label} {error}.",
  thisForm: "This form",
  cannotSubmit: "Can't submit this form",
});
