import type { FileEntry } from "../../../contract/file-records.ts";
import { originalUrl } from "../../api/file-changes.ts";

/** Returns the download URL of the original file in the entry's version. */
export const originalFileUrl = ({ id, version }: Pick<FileEntry, "id" | "version">): string => originalUrl(id, version);
