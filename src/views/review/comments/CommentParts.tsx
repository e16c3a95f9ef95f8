/** What comments and replies share: their text, and the menu of their actions. */
import { Copy, Ellipsis, Link, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { CompactAttachments } from "../../../components/CompactAttachments.tsx";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { SendStatus } from "../../../components/message-text/SendStatus.tsx";
import { MessageUploads } from "../../../components/uploads/MessageUploads.tsx";
import { t } from "../../../lib/texts/comments.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { useSession } from "../../../queries/session.ts";
import { parseMentions } from "../../../sync/drafts/draft-text.ts";
import { useConnection } from "../../../sync/live/use-connection.ts";
import { Button } from "../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { EditForm } from "./CommentForms.tsx";
import type { FileComments } from "./CommentsProvider.tsx";
import type { CommentItem, CommentPermissions } from "./threads.ts";
import type { CommentActions } from "./use-comment-actions.ts";
import { useCommentTimes } from "./use-comment-times.ts";

interface ContentProps {
  item: CommentItem;
  edits: FileComments["edits"];
  projectId: number;
  nameOf(accountId: number): string;
  actions: CommentActions;
}

/** Renders a comment's text and files with its send status while pending, or the form in which it is edited. */
export function CommentContent({ item, edits, projectId, nameOf, actions }: ContentProps) {
  const { comment, entry, body } = item;
  const { id: readerId } = useSession().account;
  const { state: connection } = useConnection();
  const mentions = useMemo(() => comment?.mentions ?? parseMentions(body), [comment?.mentions, body]);
  const times = useCommentTimes();
  const edit = comment ? edits.get(comment.id) : undefined;
  if (edit) return <EditForm item={item} edit={edit} projectId={projectId} actions={actions} />;
  if (comment?.deleted) return <p className="text-text-3 italic">{t("commentDeleted")}</p>;
  return (
    <>
      {body !== "" && (
        <div className={entry && entry.state !== "failed" ? "text-text-2" : undefined}>
          <MessageText
            body={body}
            mentions={mentions}
            nameOf={nameOf}
            readerId={readerId}
            times={times}
            edited={comment?.edited_at ? { at: comment.edited_at } : undefined}
          />
        </div>
      )}
      {comment?.attachments && <CompactAttachments attachments={comment.attachments} projectId={projectId} />}
      {entry && entry.uploads.length > 0 && <MessageUploads entry={entry} onDiscard={() => actions.discard(item)} />}
      {entry && (
        <SendStatus
          entry={entry}
          isDelayed={entry.isDelayed || connection === "offline"}
          onRetry={({ currentTarget }) => {
            // The button disappears with the error, so the focus moves to the row first.
            currentTarget.closest("article")?.focus();
            actions.retry(item);
          }}
          onDiscard={() => actions.discard(item)}
        >
          {/* Discarding the entry would also discard its files. */}
          {entry.uploads.length === 0 && (
            <Button size="sm" onClick={() => actions.undoSend(item)}>
              {tText("edit")}
            </Button>
          )}
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
        permissions.canPost && <MenuItem icon={<MessageSquare size={16} aria-hidden />} text={t("postInChat")} onSelect={() => actions.postInChat(item)} />
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
