/** Names and paths of chats and files that were opened before. */
import { t } from "../../lib/texts/documented-shell.ts";
import type { Recent } from "../../sync/device-records.ts";

export const recentPath = ({ kind, id }: Recent): string => (kind === "chat" ? `/projects/${id}/chat` : `/files/${id}`);

export const recentName = ({ kind, id, name }: Recent): string => name ?? t(kind === "chat" ? "chatOf" : "fileOf", { id: String(id) });
