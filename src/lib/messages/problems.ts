import { defineMessages } from "./define.ts";

export const t = defineMessages({
  offline: "The service cannot be reached",
  offlineHelp: "It is not certain whether it was done. What you typed is still here: check your connection and try again.",
  timeout: "The service did not answer in time",
  timeoutHelp: "It is not certain whether it was done. What you typed is still here; try again in a moment.",
  malformed: "The service answered in a way this page does not understand",
  malformedHelp: "The page may be older than the service. Reload it, then try again.",
  fault: "Something went wrong on the service's side",
  faultHelp: "What you typed is still here. Try again; if it happens again, tell who runs this Talkback.",
  noSpace: "The service has no space left",
  noSpaceHelp: "Nothing was saved. Tell who runs this Talkback; what you typed is still here.",
  tooMany: "Too many tries",
  tooManyHelp: { one: "Wait a minute, then try again.", other: "Wait {count} minutes, then try again." },
  request: "Request {id}",
  unknown: "Something unexpected happened",
  unknownHelp: "What you typed is still here. Try again, or reload the page.",
  retry: "Try again",
  fieldRequired: "{label} is needed.",
  fieldFault: "{label} {fault}.",
  thisForm: "This form",
  cannotSend: "This cannot be sent as it is",
});
