import { Lock } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { Link } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { t as tActions } from "../../../lib/texts/file-actions.ts";
import { t } from "../../../lib/texts/files.ts";
import { RenameField } from "../actions/RenameField.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { splitName } from "../names.ts";
import { entryLink } from "../url-state.ts";
import { FailureIcon } from "./cells.tsx";

interface Props {
  entry: FileEntry;
  tabIndex: 0 | -1;
  /** The folder path, shown below the name if it is not empty. */
  path: string | null;
}

/** True for a press that follows the link. A tap, and a press with a modifier, are the row's, which opens or selects the entry. */
const isLinkPress = ({ nativeEvent, shiftKey, ctrlKey, metaKey }: MouseEvent) =>
  (nativeEvent as PointerEvent).pointerType !== "touch" && !shiftKey && !ctrlKey && !metaKey;
const handleLinkPress = (event: MouseEvent) => {
  if (isLinkPress(event)) event.stopPropagation();
  else if (event.type === "click") event.preventDefault();
};
const linkPress = { onPointerDown: handleLinkPress, onMouseDown: handleLinkPress, onClick: handleLinkPress, onDoubleClick: handleLinkPress };

/** Renders the name as a link to the folder or the file's page, with badges beside it. */
export function EntryName({ entry, tabIndex, path }: Props) {
  const { urlState } = useFilesContext();
  const { name, version } = entry;
  const [beginning, end] = splitName(name);
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="flex min-w-0 items-center gap-2">
        <EditableName entry={entry}>
          <Link
            {...entryLink(entry, urlState)}
            tabIndex={tabIndex}
            draggable={false}
            {...linkPress}
            title={name}
            // Without a label, screen readers pause between the two parts.
            aria-label={name}
            className="min-w-0 truncate rounded-sm font-medium hover:underline focus-visible:outline-offset-0"
          >
            <bdi className="flex">
              <span className="min-w-0 overflow-hidden text-ellipsis whitespace-pre">{beginning}</span>
              {end !== "" && <span className="shrink-0 whitespace-pre">{end}</span>}
            </bdi>
          </Link>
        </EditableName>
        {version > 1 && <span className="shrink-0 rounded-sm bg-raised px-1.5 text-xs text-text-2">{t("version", { version: String(version) })}</span>}
        {entry.has_unread_comments && (
          <span role="img" aria-label={t("unreadComments")} title={t("unreadComments")} className="size-2 shrink-0 rounded-full bg-accent" />
        )}
        {entry.removal_protection && (
          <span role="img" aria-label={t("protected")} title={t("protected")} className="shrink-0 text-text-3">
            <Lock size={13} aria-hidden />
          </span>
        )}
        <FailureIcon entry={entry} />
      </span>
      {path && (
        <span className="truncate text-xs text-text-3">
          <bdi>{path}</bdi>
        </span>
      )}
    </span>
  );
}

/** Renders an entry's name as `children`, or the field that edits it. */
function EditableName({ entry, children }: { entry: FileEntry; children: ReactNode }) {
  const { nameEdit, submitName, cancelName } = useFileActionsContext();
  if (nameEdit?.entryId !== entry.id) return children;
  return <RenameField {...nameEdit} label={tActions("nameOf", { name: entry.name })} isFolder={entry.is_folder} onSubmit={submitName} onClose={cancelName} />;
}
