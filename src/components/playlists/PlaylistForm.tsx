/** Dialogs that create a playlist, and change its name and the gap between its tracks. */
import { createPlaylist, updatePlaylist } from "../../../contract/operations/playlists.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { cleanName } from "../../../contract/text.ts";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/playlists.ts";
import { useCreatePlaylist, useUpdatePlaylist } from "../../queries/playlists/use-playlists.ts";
import { useActiveProjects } from "../../queries/projects.ts";
import { TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { FormDialog } from "../FormDialog.tsx";
import { useForm } from "../use-form.ts";

const NAME_PROPS = { name: "name", autoComplete: "off", autoFocus: true, required: true, maxLength: LIMITS.playlist_name_characters };
const MAX_GAP_SECONDS = LIMITS.playlist_gap_ms / 1_000;

/** Returns the gap in milliseconds; null if the text is no number of seconds that a gap can have. */
export function parseGap(text: string): number | null {
  const seconds = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && seconds >= 0 && seconds <= MAX_GAP_SECONDS ? Math.round(seconds * 1_000) : null;
}
const gapErrors = (gap: number | null) => (gap === null ? [{ path: "gap_ms", message: t("gapInvalid") }] : []);

interface NewPlaylistProps {
  /** The project; null if it is chosen in the dialog. */
  projectId: number | null;
  /** Files that the playlist begins with. */
  fileIds?: readonly number[];
  onCreated(playlist: Playlist): void;
  onClose(): void;
}

export function NewPlaylistDialog({ projectId, fileIds = [], onCreated, onClose }: NewPlaylistProps) {
  const projects = useActiveProjects();
  const lastProject = useClient().serviceStorage.get("last-project");
  const project = projects.find(({ id }) => String(id) === lastProject) ?? projects[0];
  const form = useForm(useCreatePlaylist(), createPlaylist.body, { name: "", gap_ms: "0", project_id: projectId ?? project?.id ?? 0 });
  const gap = parseGap(form.values.gap_ms);
  const body = { project_id: form.values.project_id, name: cleanName(form.values.name), gap_ms: gap ?? 0, items: fileIds.map((file_id) => ({ file_id })) };
  return (
    <FormDialog
      title={t("createTitle")}
      form={form}
      body={body}
      extraErrors={gapErrors(gap)}
      onDone={(playlist) => {
        onClose();
        onCreated(playlist);
      }}
      onClose={onClose}
      submitLabel={t("confirmCreate")}
    >
      <TextField {...form.field("name", t("name"))} placeholder={t("namePlaceholder")} {...NAME_PROPS} />
      {projectId === null && <Select {...form.field("project_id", t("projectField"))} options={projects.map(({ id, name }) => [id, name] as const)} />}
      <TextField {...form.field("gap_ms", t("gapField"))} hint={t("gapHint")} inputMode="decimal" autoComplete="off" className="max-w-60" />
    </FormDialog>
  );
}

export function EditPlaylistDialog({ playlist, onClose }: { playlist: Playlist; onClose(): void }) {
  const form = useForm(useUpdatePlaylist(playlist.id), updatePlaylist.body, { name: playlist.name, gap_ms: String(playlist.gap_ms / 1_000) });
  const gap = parseGap(form.values.gap_ms);
  return (
    <FormDialog
      title={t("editTitle")}
      form={form}
      body={{ name: cleanName(form.values.name), gap_ms: gap ?? 0 }}
      extraErrors={gapErrors(gap)}
      onDone={onClose}
      onClose={onClose}
      submitLabel={t("save")}
    >
      <TextField {...form.field("name", t("name"))} {...NAME_PROPS} />
      <TextField {...form.field("gap_ms", t("gapField"))} hint={t("gapHint")} inputMode="decimal" autoComplete="off" className="max-w-60" />
    </FormDialog>
  );
}
