import { Copy, Ellipsis, Link, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useNavigate } from "react-router";
import { t } from "../../../lib/messages/comments.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import type { CommentActs } from "./comments-room.ts";
import type { CommentRights } from "./model/rights.ts";
import type { Note } from "./model/threads.ts";

interface Props {
  note: Note;
  name: string;
  projectId: number;
  rights: CommentRights;
  act: CommentActs;
  tabIndex: 0 | -1;
}

/** What can be done with a comment besides answering and resolving it. */
export function NoteMenu({ note, name, projectId, rights, act, tabIndex }: Props) {
  const navigate = useNavigate();
  const shownIn = note.comment?.message_id ?? null;
  // Once the menu has given the focus back.
  const later = (run: () => void) => () => void requestAnimationFrame(run);
  return (
    <Menu
      label={t("more", { name })}
      trigger={<Ellipsis size={17} aria-hidden />}
      triggerClass={`${iconButtonClasses} size-7 max-tablet:size-9`}
      align="end"
      tabIndex={tabIndex}
    >
      {rights.edit && (
        <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={later(() => act.startEdit(note))}>
          {t("edit")}
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={() => act.copyText(note)}>
        {t("copyText")}
      </MenuItem>
      <MenuItem icon={<Link size={16} aria-hidden />} onSelect={() => act.copyLink(note)}>
        {t("copyLink")}
      </MenuItem>
      {shownIn === null ? (
        <MenuItem icon={<MessageSquare size={16} aria-hidden />} onSelect={() => act.showInChat(note)}>
          {t("showInChat")}
        </MenuItem>
      ) : (
        <MenuItem icon={<MessageSquare size={16} aria-hidden />} onSelect={() => void navigate(`/projects/${projectId}/chat/${shownIn}`)}>
          {t("openInChat")}
        </MenuItem>
      )}
      {rights.delete && (
        <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={later(() => act.remove(note))}>
          {t("delete")}
        </MenuItem>
      )}
    </Menu>
  );
}
