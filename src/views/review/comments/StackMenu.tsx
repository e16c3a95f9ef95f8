import { formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Floating, type Spot } from "../../../ui/Floating.tsx";
import { MenuItem } from "../../../ui/Menu.tsx";
import { onMenuKey } from "../../../ui/menu-keys.ts";
import type { CommentsRoom } from "./comments-room.ts";
import type { Thread } from "./model/threads.ts";
import { placeWords } from "./words.ts";

interface Props {
  threads: readonly Thread[];
  at: Spot;
  room: CommentsRoom;
  onClose(): void;
  onChoose(thread: Thread): void;
}

/** Those that lie on each other, one under the other. */
export function StackMenu({ threads, at, room, onClose, onChoose }: Props) {
  return (
    <Floating
      label={t("stack", { count: threads.length, time: formatTenths((threads[0]?.at ?? 0) / 1_000) })}
      at={at}
      role="menu"
      onClose={onClose}
      onKeyDown={(event) => onMenuKey(event, event.currentTarget as HTMLElement)}
      className="max-h-80 w-80 max-w-[calc(100vw-16px)] overflow-y-auto p-1"
    >
      {threads.map((thread) => {
        const { name, avatarUrl } = room.personOf(thread);
        return (
          <MenuItem key={thread.key} icon={<Avatar id={thread.accountId} name={name} url={avatarUrl} size="sm" />} onSelect={() => onChoose(thread)}>
            <span className="flex gap-2">
              <span className="tabular font-semibold text-accent-text">{placeWords(thread.at ?? 0, thread.end)}</span>
              <bdi className="truncate font-semibold">{name}</bdi>
            </span>
            <span className="line-clamp-2 text-text-2">{thread.comment?.deleted ? t("deletedOne") : thread.body}</span>
          </MenuItem>
        );
      })}
    </Floating>
  );
}
