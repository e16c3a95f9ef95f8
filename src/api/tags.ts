import { correctTags as correctOperation, regenerateTags as regenerateOperation } from "../../contract/operations/tags.ts";
import { call, type CallInput } from "./http.ts";

export type TagCorrection = CallInput<typeof correctOperation>["body"];

/** Overrides a file's detected tempo or key, or removes the override with null. Returns the file's info. */
export const correctTags = (file_id: number, body: TagCorrection) => call(correctOperation, { params: { file_id }, body });

/** Detects the file's tempo, key and tags again. */
export const regenerateTags = async (file_id: number) => (await call(regenerateOperation, { params: { file_id } })).data;
