import type { Comment } from "../../contract/comment-records.ts";
import * as operations from "../../contract/operations/comments.ts";
import type { Api, BodyOf, CallOptions } from "./http.ts";

export type NewComment = BodyOf<typeof operations.writeComment>;
export type CommentChange = BodyOf<typeof operations.updateComment>;

/** Returns a page of a file's comments, oldest first. */
export const listComments = (api: Api, file_id: number, after_id?: number, options?: CallOptions) =>
  api.call(operations.listComments, { params: { file_id }, query: { after_id } }, options);

export const writeComment = async (api: Api, file_id: number, body: NewComment, options?: CallOptions): Promise<Comment> =>
  (await api.call(operations.writeComment, { params: { file_id }, body }, options)).data;

export const updateComment = async (api: Api, comment_id: number, body: CommentChange): Promise<Comment> =>
  (await api.call(operations.updateComment, { params: { comment_id }, body })).data;

export const deleteComment = async (api: Api, comment_id: number): Promise<Comment> =>
  (await api.call(operations.deleteComment, { params: { comment_id } })).data;

export const restoreComment = async (api: Api, comment_id: number): Promise<Comment> =>
  (await api.call(operations.restoreComment, { params: { comment_id } })).data;

export const markCommentsRead = async (api: Api, file_id: number, last_comment_id: number) =>
  (await api.call(operations.markCommentsRead, { params: { file_id }, body: { last_comment_id } })).data;

/** Posts the comment in the project's chat and returns the chat message. */
export const showComment = async (api: Api, comment_id: number) => (await api.call(operations.showComment, { params: { comment_id } })).data;
