import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/comments.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import { ContextMenu, MenuItem } from "../../../ui/Menu.tsx";
import { useFileComments } from "./CommentsProvider.tsx";
import { formatAnchor } from "./format.ts";
import { plainText, type Thread } from "./threads.ts";

interface Props {
  threads: readonly Thread[];
  anchor: AnchorRect;
  onClose(): void;
  onSelect(thread: Thread): void;
}

export function StackMenu({ threads, anchor, onClose, onSelect }: Props) {
  const { nameOf, personOf } = useFileComments();
  return (
    <ContextMenu
      label={t("stack", { count: threads.length, time: formatTenths((threads[0]?.startMs ?? 0) / 1_000) })}
      anchor={anchor}
      onClose={onClose}
      className="max-h-80 w-80 max-w-[calc(100vw-16px)]"
    >
      {threads.map((thread) => {
        const { name, avatarUrl } = personOf(thread);
        return (
          <MenuItem
            key={thread.key}
            text={name}
            icon={<Avatar id={thread.accountId} name={name} url={avatarUrl} size="sm" />}
            onSelect={() => onSelect(thread)}
          >
            <span className="flex gap-2">
              <span className="tabular font-semibold text-accent-text">{formatAnchor(thread.startMs ?? 0, thread.endMs)}</span>
              <bdi className="truncate font-semibold">{name}</bdi>
              <AgentBadge accountId={thread.accountId} />
            </span>
            <span className="line-clamp-2 text-text-2">{thread.comment?.deleted ? t("commentDeleted") : plainText(thread, nameOf)}</span>
          </MenuItem>
        );
      })}
    </ContextMenu>
  );
}
