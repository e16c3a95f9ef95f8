import { ExternalLink, Link as LinkIcon } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/files.ts";
import { announce } from "../../../../ui/announce.ts";
import { Floating, type Spot } from "../../../../ui/Floating.tsx";
import { MenuItem } from "../../../../ui/Menu.tsx";
import { onMenuKey } from "../../../../ui/menu-keys.ts";
import { folderPath } from "../../model/url-state.ts";
import { useFilesRoom } from "../files-room.ts";

interface Props {
  entry: FileEntry;
  at: Spot;
  onClose(): void;
}

/** Everything that can be done with an entry, or with all that are selected together with it. */
export function EntryMenu({ entry, at, onClose }: Props) {
  const { project, open, selected } = useFilesRoom();
  // Closed first: it gives the focus back to where it was, and what is chosen may take it from there.
  const choose = (run: () => void) => () => {
    onClose();
    requestAnimationFrame(run);
  };
  const copy = () => {
    const path = entry.is_folder ? folderPath(project.id, entry.id) : `/files/${entry.id}`;
    navigator.clipboard.writeText(new URL(path, location.origin).href).then(
      () => announce(t("linkCopied")),
      () => announce(t("notCopied")),
    );
  };
  const single = selected.length < 2;
  return (
    <Floating
      label={t("menuOf", { name: entry.name })}
      at={at}
      role="menu"
      onClose={onClose}
      onKeyDown={(event) => (event.key === "Tab" ? onClose() : onMenuKey(event, event.currentTarget as HTMLElement))}
      className="w-56 p-1 max-tablet:p-2"
    >
      {single && (
        <MenuItem icon={<ExternalLink size={16} aria-hidden />} onSelect={choose(() => open(entry))}>
          {t("open")}
        </MenuItem>
      )}
      {single && (
        <MenuItem icon={<LinkIcon size={16} aria-hidden />} onSelect={choose(copy)}>
          {t("copyLink")}
        </MenuItem>
      )}
    </Floating>
  );
}
