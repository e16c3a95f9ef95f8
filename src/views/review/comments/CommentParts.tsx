/** What comments and replies share: their text, and the menu of their actions. */
import { Copy, Ellipsis, Link, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useNavigate } from "react-router";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { SendStatus } from "../../../components/message-text/SendStatus.tsx";
import { t } from "../../../lib/texts/comments.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { Button } from "../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { EditForm } from "./CommentForms.tsx";
import type { FileComments } from "./CommentsProvider.tsx";
import type { CommentItem, CommentPermissions } from "./threads.ts";
import type { CommentActions } from "./use-comment-actions.ts";

/** Renders a comment's text with its send status while pending, or the form in which it is edited. */
export function CommentContent({ item, edits, actions }: { item: CommentItem; edits: FileComments["edits"]; actions: CommentActions }) {
  const { comment, entry, body } = item;
  const edit = comment ? edits.get(comment.id) : undefined;
  if (edit) return <EditForm item={item} edit={edit} actions={actions} />;
  if (comment?.deleted) return <p className="text-text-3 italic">{t("commentDeleted")}</p>;
  return (
    <>
      <div className={entry && entry.state !== "failed" ? "text-text-2" : undefined}>
        <MessageText body={body} edited={comment?.edited_at ? { at: comment.edited_at } : undefined} />
      </div>
      {entry && (
        <SendStatus
          entry={entry}
          isDelayed={entry.isDelayed}
          onRetry={({ currentTarget }) => {
            // The button disappears with the error, so the focus moves to the row first.
            currentTarget.closest("article")?.focus();
            actions.retry(item);
          }}
          onDiscard={() => actions.discard(item)}
        >
          <Button size="sm" onClick={() => actions.undoSend(item)}>
            {tText("edit")}
          </Button>
        </SendStatus>
      )}
    </>
  );
}

interface CommentMenuProps {
  item: CommentItem;
  name: string;
  projectId: number;
  permissions: CommentPermissions;
  actions: CommentActions;
  tabIndex: 0 | -1;
}

export function CommentMenu({ item, name, projectId, permissions, actions, tabIndex }: CommentMenuProps) {
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
      {permissions.canEdit && <MenuItem icon={<Pencil size={16} aria-hidden />} text={tText("edit")} onSelect={() => actions.startEdit(item)} />}
      <MenuItem icon={<Copy size={16} aria-hidden />} text={tText("copyText")} onSelect={() => actions.copyText(item)} />
      <MenuItem icon={<Link size={16} aria-hidden />} text={tText("copyLink")} onSelect={() => actions.copyLink(item)} />
      {messageId === null ? (
        <MenuItem icon={<MessageSquare size={16} aria-hidden />} text={t("postInChat")} onSelect={() => actions.postInChat(item)} />
      ) : (
        <MenuItem
          icon={<MessageSquare size={16} aria-hidden />}
          text={t("openInChat")}
          onSelect={() => void navigate(`/projects/${projectId}/chat/${messageId}`)}
        />
      )}
      {permissions.canDelete && <MenuItem danger icon={<Trash2 size={16} aria-hidden />} text={tText("delete")} onSelect={() => actions.remove(item)} />}
    </Menu>
  );
}
