import type { EntryKind } from "../../../../contract/file-records.ts";
import { t } from "../../../lib/messages/files.ts";

const KIND_LABELS = { folder: "folder", audio: "audio", video: "video", image: "image", document: "document" } as const satisfies Record<EntryKind, string>;

/** What a kind is called, where there are several of it. */
export const kindName = (kind: EntryKind): string => t(KIND_LABELS[kind]);
