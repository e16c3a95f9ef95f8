/** Creates the review services: comments, and a team's file statuses. */
import { createCommentMessages } from "./domain/chat/comment-messages.ts";
import { createCommentChanges } from "./domain/comments/changes.ts";
import { createCommentReads } from "./domain/comments/reads.ts";
import { createComments } from "./domain/comments/service.ts";
import type { FilesDeps } from "./domain/files/deps.ts";
import { createTagCorrections } from "./domain/files/corrections.ts";
import { createStatusReplacing } from "./domain/files/status-replacing.ts";
import { createStatusChanges } from "./domain/statuses/changes.ts";
import { createStatuses } from "./domain/statuses/service.ts";

export const createReviewServices = (deps: FilesDeps) => ({
  comments: createComments(deps),
  commentChanges: createCommentChanges({ ...deps, chat: createCommentMessages(deps) }),
  commentReads: createCommentReads(deps),
  statuses: createStatuses(deps),
  statusChanges: createStatusChanges({ ...deps, files: createStatusReplacing(deps) }),
  tagCorrections: createTagCorrections(deps),
});
