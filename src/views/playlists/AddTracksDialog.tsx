import { Check } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { ListState } from "../../components/ListSection.tsx";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useAddPlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { MAX_AUDIO_FILES, useAudioFiles } from "../../queries/playlists/use-audio-files.ts";
import { useActiveProjects } from "../../queries/projects.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { Select } from "../../ui/Select.tsx";
import { useToasts } from "../../ui/toast.ts";

/** Adds audio files of the playlist's project, or of another project of its team, several one after another. */
export function AddTracksDialog({ playlist, count, onClose }: { playlist: Playlist; count: number; onClose(): void }) {
  const projects = useActiveProjects().filter(({ team_id }) => team_id === playlist.team_id);
  const [projectId, setProjectId] = useState(playlist.project_id);
  const [query, setQuery] = useState("");
  const files = useAudioFiles(projectId, useDeferredValue(query.trim()));
  const isFull = count >= LIMITS.playlist_items;
  return (
    <Dialog title={t("addTitle", { name: playlist.name })} onClose={onClose} lightDismiss>
      <div className="flex flex-col gap-3">
        <SearchField label={t("search")} labelHidden placeholder={t("search")} autoFocus value={query} onChange={setQuery} />
        {projects.length > 1 && (
          <Select label={t("projectField")} value={projectId} onChange={setProjectId} options={projects.map(({ id, name }) => [id, name] as const)} />
        )}
      </div>
      <ListState query={files} rows={4} />
      <ul className="mt-2 max-h-80 min-h-40 overflow-y-auto">
        {files.data?.map((file) => (
          <Candidate key={file.id} playlistId={playlist.id} file={file} isFull={isFull} />
        ))}
        {files.data?.length === 0 && <li className="py-3 text-text-2">{t("noFiles")}</li>}
      </ul>
      {files.data?.length === MAX_AUDIO_FILES && <p className="mt-2 text-sm text-text-2">{t("moreFiles", { count: MAX_AUDIO_FILES })}</p>}
      {isFull && <p className="mt-2 text-sm text-text-2">{t("full", { count: LIMITS.playlist_items })}</p>}
      <DialogActions>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Candidate({ playlistId, file, isFull }: { playlistId: number; file: FileEntry; isFull: boolean }) {
  const add = useAddPlaylistItems();
  const toasts = useToasts();
  const { id, name, duration } = file;
  const addFile = () =>
    add.mutate(
      { id: playlistId, items: [{ file_id: id }] },
      {
        onSuccess: () => announce(t("addedNamed", { name })),
        onError: (error) => toasts.showError(t("notAdded", { name, reason: formatErrorReason(error) })),
      },
    );
  return (
    <li className="flex h-12 items-center gap-3 border-b border-line last:border-0">
      <span className="min-w-0 flex-1 truncate">
        <bdi>{name}</bdi>
      </span>
      {add.isSuccess && <Check size={16} aria-hidden className="shrink-0 text-ok" />}
      <span className="tabular shrink-0 text-sm text-text-2">{duration > 0 && formatPosition(duration)}</span>
      <Button size="sm" aria-label={t("addNamed", { name })} disabled={isFull} pending={add.isPending} onClick={addFile}>
        {t("addButton")}
      </Button>
    </li>
  );
}
