import { Copy, Ellipsis, Link, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useNavigate } from "react-router";
import { t } from "../../../lib/texts/comments.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import type { CommentActions } from "./comments-context.ts";
import type { CommentItem, CommentPermissions } from "./threads.ts";

interface Props {
  item: CommentItem;
  name: string;
  projectId: number;
  permissions: CommentPermissions;
  actions: CommentActions;
  tabIndex: 0 | -1;
}

/** Renders the menu of comment actions other than reply and resolve. */
export function CommentMenu({ item, name, projectId, permissions, actions, tabIndex }: Props) {
  const navigate = useNavigate();
  const messageId = item.comment?.message_id ?? null;
  return (
    <Menu
      label={t("more", { name })}
      trigger={<Ellipsis size={17} aria-hidden />}
      triggerClassName={`${iconButtonClasses} size-7 max-tablet:size-9`}
      align="end"
      tabIndex={tabIndex}
    >
      {permissions.canEdit && (
        <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => actions.startEdit(item)}>
          {tText("edit")}
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={() => actions.copyText(item)}>
        {tText("copyText")}
      </MenuItem>
      <MenuItem icon={<Link size={16} aria-hidden />} onSelect={() => actions.copyLink(item)}>
        {tText("copyLink")}
      </MenuItem>
      {messageId === null ? (
        <MenuItem icon={<MessageSquare size={16} aria-hidden />} onSelect={() => actions.postInChat(item)}>
          {t("postInChat")}
        </MenuItem>
      ) : (
        <MenuItem icon={<MessageSquare size={16} aria-hidden />} onSelect={() => void navigate(`/projects/${projectId}/chat/${messageId}`)}>
          {t("openInChat")}
        </MenuItem>
      )}
      {permissions.canDelete && (
        <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => actions.remove(item)}>
          {tText("delete")}
        </MenuItem>
      )}
    </Menu>
  );
}
