import { t } from "../../../lib/messages/chat.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { useChat } from "./chat-room.ts";

const MAX_AVATARS = 5;

/** Renders the avatars of those who have read up to a message, at the edge and outside the layout. */
export function ReadReceipts({ readers }: { readers: readonly number[] }) {
  const { personOf, nameOf } = useChat();
  const names = readers.map(nameOf).join(", ");
  return (
    <span role="img" aria-label={t("readBy", { names })} title={t("readBy", { names })} className="absolute right-2 -bottom-2 z-1 flex items-center">
      {readers.slice(0, MAX_AVATARS).map((id) => (
        <Avatar key={id} id={id} name={nameOf(id)} url={personOf(id)?.avatarUrl} size="dot" className="-ml-0.5 ring-2 ring-surface" />
      ))}
      {readers.length > MAX_AVATARS && <span className="tabular ml-0.5 text-[10px] leading-none text-text-2">+{readers.length - MAX_AVATARS}</span>}
    </span>
  );
}
