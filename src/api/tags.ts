import { correctTags as correctOperation, regenerateTags as regenerateOperation } from "../../contract/operations/tags.ts";
import { call, type CallInput } from "./http.ts";

export type TagCorrection = CallInput<typeof correctOperation>["body"];

/** Puts tempo or key right by hand; null takes that back. Answers the file's info. */
export const correctTags = (file_id: number, body: TagCorrection) => call(correctOperation, { params: { file_id }, body });

/** Has tempo, key and tags looked for again. */
export const regenerateTags = async (file_id: number) => (await call(regenerateOperation, { params: { file_id } })).data;
