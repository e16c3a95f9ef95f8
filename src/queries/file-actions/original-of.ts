import type { FileEntry } from "../../../contract/file-records.ts";
import { originalAddress } from "../../api/file-changes.ts";

/** Where the file itself is saved from, by the version that is seen. */
export const originalOf = ({ id, version }: Pick<FileEntry, "id" | "version">): string => originalAddress(id, version);
