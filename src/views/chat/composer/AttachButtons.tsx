import { File, ListMusic, Plus } from "lucide-react";
import { useState } from "react";
import { FileButton, useFilePicker } from "../../../components/uploads/FilePicker.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t as tPlaylists } from "../../../lib/texts/playlists.ts";
import { t } from "../../../lib/texts/uploads.ts";
import { IconButton, iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { AttachPlaylistDialog, type PlaylistAttachment } from "./playlist-attachment.tsx";
import type { useChatFiles } from "./use-chat-files.tsx";

interface Props {
  projectId: number;
  files: ReturnType<typeof useChatFiles>;
  playlist: PlaylistAttachment;
  /** Called after a choice, also if no file was chosen. */
  onDone(): void;
}

/** Attaches files and a playlist to the next message; on a phone, one button opens the choice between them. */
export function AttachButtons({ projectId, files, playlist, onDone }: Props) {
  const [isChoosing, setIsChoosing] = useState(false);
  const isPhone = useMediaQuery(PHONE);
  const choosePlaylist = () => setIsChoosing(true);
  return (
    <>
      {isPhone && playlist.isOffered ? (
        <AttachMenu files={files} onChoosePlaylist={choosePlaylist} onDone={onDone} />
      ) : (
        <AttachFilesButton files={files} onDone={onDone} />
      )}
      {!isPhone && playlist.isOffered && <IconButton label={tPlaylists("attach")} icon={ListMusic} iconSize={19} onClick={choosePlaylist} />}
      {isChoosing && (
        <AttachPlaylistDialog
          projectId={projectId}
          onClose={() => setIsChoosing(false)}
          onPick={(picked) => {
            setIsChoosing(false);
            playlist.attach(picked);
            onDone();
          }}
        />
      )}
    </>
  );
}

type FilesProps = Pick<Props, "files" | "onDone">;

/** Returns the function that attaches chosen files. */
const attachTo =
  ({ files, onDone }: FilesProps) =>
  (chosen: readonly File[]) => {
    if (chosen.length > 0) files.add(chosen);
    onDone();
  };

function AttachMenu({ onChoosePlaylist, ...props }: FilesProps & { onChoosePlaylist(): void }) {
  const { disabledReason } = props.files;
  const picker = useFilePicker({ multiple: true, onFiles: attachTo(props) });
  return (
    <>
      <Menu label={t("attachAny")} trigger={<Plus size={20} aria-hidden />} triggerClassName={`${iconButtonClasses} size-9! rounded-full!`}>
        <MenuItem icon={<File size={16} aria-hidden />} onSelect={picker.open} disabledReason={disabledReason ?? undefined}>
          {t("attach")}
        </MenuItem>
        <MenuItem icon={<ListMusic size={16} aria-hidden />} onSelect={onChoosePlaylist}>
          {tPlaylists("attach")}
        </MenuItem>
      </Menu>
      {picker.input}
    </>
  );
}

/** Opens the file picker. If files cannot be attached, a click shows the reason instead. */
function AttachFilesButton(props: FilesProps) {
  const { disabledReason, add } = props.files;
  return (
    <FileButton
      label={disabledReason === null ? t("attach") : t("attachDisabled", { reason: disabledReason })}
      icon={Plus}
      iconSize={20}
      multiple
      aria-disabled={disabledReason !== null || undefined}
      className={classNames("max-tablet:size-9 max-tablet:rounded-full", disabledReason !== null && "cursor-not-allowed text-text-3")}
      onClick={disabledReason === null ? undefined : () => add([])}
      onFiles={attachTo(props)}
    />
  );
}
