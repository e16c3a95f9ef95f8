import type { FileEntry } from "../../../contract/file-records.ts";
import { originalUrl } from "../../api/file-changes.ts";

/** Where the file itself is saved from, by the version that is seen. */
export const originalFileUrl = ({ id, version }: Pick<FileEntry, "id" | "version">): string => originalUrl(id, version);
