import type { FilesDeps } from "../files/deps.ts";
import { createChatImport } from "./chat-import.ts";
import { createChat } from "./chat.ts";
import { createCommentChanges } from "./comment-changes.ts";
import { createCommentMessages } from "./comment-messages.ts";
import { createCommentReads } from "./comment-reads.ts";
import { createComments } from "./comments.ts";
import { createMessageChanges } from "./message-changes.ts";
import { createChatSearch } from "./message-search.ts";
import { createReadMarkers } from "./read-markers.ts";

export const createConversationServices = (deps: FilesDeps) => ({
  chat: createChat(deps),
  messageChanges: createMessageChanges(deps),
  readMarkers: createReadMarkers(deps),
  chatSearch: createChatSearch(deps),
  chatImport: createChatImport(deps),
  comments: createComments(deps),
  commentChanges: createCommentChanges({ ...deps, commentMessages: createCommentMessages(deps) }),
  commentReads: createCommentReads(deps),
});

export type ConversationServices = ReturnType<typeof createConversationServices>;
