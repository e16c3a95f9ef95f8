import type { EntryKind } from "../../../../contract/file-records.ts";
import { t } from "../../../lib/messages/files.ts";

const KIND_LABELS = { folder: "folder", audio: "audio", video: "video", image: "image", document: "document" } as const satisfies Record<EntryKind, string>;

/** Returns the label for several files of a kind. */
export const kindName = (kind: EntryKind): string => t(KIND_LABELS[kind]);
