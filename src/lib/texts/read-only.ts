import { defineTexts } from "./define-texts.ts";

/** Texts of views of a service that offers only the operations of the service document, which read records and create none but webhook endpoints. */
export const t = defineTexts({
  title: "{name} · {service}",

  chatOf: "Chat of project {id}",
  chat: "project {id}",
  onlyNewest: "This service offers only the newest messages. Older ones, if there are any, can't be loaded.",
  noSending: "This service doesn't offer sending messages.",
  noMessages: "No messages yet. New messages appear automatically.",
  pollFailed: "Couldn't check for new messages. {reason}.",
  messageNotLoaded: "This message isn't among the newest messages that the service offers.",
  unreadable: {
    one: "{count} message can't be shown, because the service sent it without an ID.",
    other: "{count} messages can't be shown, because the service sent them without IDs.",
  },

  fileOf: "File {id}",
  unknownStatus: "Unknown status",
  noReview: "This service doesn't offer comments, tasks, versions, or changes of the status.",

  retry: "Try again",
  notFound: "Not found",
  openAnother: "Open another",
  tokenMissingHelp: "Enter the one that you use for it. You don't need to leave this page.",
  chatNotFound: "There is no chat with the project ID {id}, or your access token can't read it.",
  fileNotFound: "There is no file with the ID {id}, or your access token can't read it.",
});
