import { CircleCheck, FileText, ListMusic, MessageSquare, MessageSquareText } from "lucide-react";
import type { SearchResult } from "../../../contract/search-records.ts";
import { hueOf } from "../../lib/hue.ts";
import { useMembers } from "../../queries/members.ts";
import { Avatar } from "../Avatar.tsx";
import { FileKindIcon } from "../file-kind.tsx";

const KIND_ICONS = { playlist: ListMusic, task: CircleCheck, message: MessageSquare, comment: MessageSquareText, document: FileText };

/** The icon of a result; of people their picture. */
export function ResultIcon({ result: { kind, id, file, account }, size = 16 }: { result: SearchResult; size?: number }) {
  const members = useMembers().data;
  if (kind === "project") return <span data-hue={hueOf(id)} className="hue-dot size-2 rounded-[2px]" />;
  if (kind === "person")
    return <Avatar id={id} name={account?.username ?? ""} url={members?.find((member) => member.id === id)?.avatar_url ?? null} size="xs" />;
  if (kind === "file") return file && <FileKindIcon entry={{ ...file, is_folder: file.kind === "folder" }} size={size} />;
  const Icon = KIND_ICONS[kind];
  return <Icon size={size} aria-hidden className="text-text-2" />;
}
