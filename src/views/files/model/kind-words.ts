import type { EntryKind } from "../../../../contract/file-records.ts";

/** What kinds are called, as names of texts. */
export const KIND_WORDS = { folder: "folder", audio: "audio", video: "video", image: "image", document: "document" } as const satisfies Record<
  EntryKind,
  string
>;
