/** Presents files, versions, statuses and processing results as wire records. Media URLs are stable, absolute, and require authorization. */
import type { DeletedEntry as DeletedEntryRecord, FileEntry } from "../../../contract/file-records.ts";
import type { MetadataValues } from "../../../contract/metadata-records.ts";
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso } from "../../lib/iso-time.ts";
import { parseJson, type Probe, type Tags, type VersionAnalysis } from "./stored-analysis.ts";

/** Columns of a version that lists show, without processing results, which can be a hundred times as large. */
export const VERSION_COLUMNS = [
  "id",
  "file_id",
  "number",
  "blob_key",
  "size",
  "kind",
  "media_type",
  "transcoding_status",
  "failure",
  "duration",
  "compressed_key",
  "compressed_type",
  "still_key",
  "thumbnail_key",
  "created_by",
  "created_at",
] as const satisfies readonly (keyof Row<"file_versions">)[];
export type VersionSummary = Pick<Row<"file_versions">, (typeof VERSION_COLUMNS)[number]>;

export type StatusSummary = Pick<Row<"file_statuses">, "id" | "title" | "color" | "position" | "is_final">;

/** A file with its current version (null for folders), its status and its team. */
export interface FileView {
  file: Row<"files">;
  version: VersionSummary | null;
  status: StatusSummary | null;
  teamId: number;
  /** Whether the reader has unread comments on the file; omitted where the record goes to everybody. */
  hasUnreadComments?: boolean;
  /** The folders above it, from the top, without the root; set where a single file is shown. */
  folders?: { id: number; name: string }[];
}

/** A file with the additional fields of the files view. */
export interface FilesViewEntry extends FileView {
  /** `short_wave` of the current version. */
  wave: string | null;
  /** Number of entries in a folder; null for files. */
  itemCount: number | null;
  /** In recursive listings: names of the folders between the listed folder and the entry. */
  path?: string;
  /** Values of the metadata columns that a listing asks for. */
  metadata?: MetadataValues;
}

/** A deleted file or folder that can still be restored. */
export interface DeletedEntry extends FilesViewEntry {
  /** Names of the folders in which it was, from the root on. */
  location: string[];
  restorableUntil: number;
  /** Number of files and folders that were deleted in it. */
  containedCount: number;
}

export type Variant = "original" | "compressed" | "still" | "thumbnail";

export const presentFileStatus = (row: StatusSummary): wire.FileStatus => ({
  id: row.id,
  title: row.title,
  color: row.color,
  position: row.position,
  is_final: row.is_final === 1,
});

const ENTRY_WAVE_POINTS = 100;
/** Reduces a waveform to at most `ENTRY_WAVE_POINTS` values, each the maximum of its range. */
function downsampleWave(wave: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(wave.length / ENTRY_WAVE_POINTS));
  if (step === 1) return [...wave];
  const peaks: number[] = [];
  for (let start = 0; start < wave.length; start += step) {
    let highest = 0;
    for (let index = start; index < Math.min(start + step, wave.length); index += 1) highest = Math.max(highest, wave[index] ?? 0);
    peaks.push(highest);
  }
  return peaks;
}

export function createFilePresenters(publicUrl: string) {
  const versionUrl = (fileId: number, number: number) => `${publicUrl}/api/v2/files/${fileId}/versions/${number}`;
  const contentUrl = (fileId: number, version: VersionSummary, variant: Variant): string => `${versionUrl(fileId, version.number)}/${variant}`;
  const folderUrl = (file: Row<"files">): string => `${publicUrl}/projects/${file.project_id}/files/${file.id}`;
  const compressedUrl = (fileId: number, version: VersionSummary) => (version.compressed_key === null ? null : contentUrl(fileId, version, "compressed"));
  /** Extension member of audio with an embedded picture. Clients take a file with the documented `thumbnail_url` or `thumbnail` for a video or an image. */
  const coverField = (fileId: number, version: VersionSummary) =>
    version.kind === "audio" && version.thumbnail_key !== null ? { cover_url: contentUrl(fileId, version, "thumbnail") } : {};
  /** Members that only images and videos have, absent until processing has found or made what they describe. */
  const previewFields = (fileId: number, version: VersionSummary) => {
    const { kind, duration, still_key, thumbnail_key } = version;
    if (kind === "image") return thumbnail_key === null ? {} : { thumbnail: contentUrl(fileId, version, "thumbnail") };
    if (kind !== "video") return {};
    return {
      ...(duration === null ? {} : { duration }),
      ...(still_key === null ? {} : { stills_url: contentUrl(fileId, version, "still") }),
      ...(thumbnail_key === null ? {} : { thumbnail_url: contentUrl(fileId, version, "thumbnail") }),
    };
  };

  const presentFile = ({ file, version, status, teamId }: FileView) =>
    ({
      object: "file",
      id: file.id,
      name: file.name,
      is_folder: file.is_folder === 1,
      parent_id: file.parent_id,
      size: version?.size ?? 0,
      url: version ? contentUrl(file.id, version, "original") : folderUrl(file),
      removal_protection: file.removal_protection === 1,
      task_load_protection: file.task_load_protection === 1,
      team_id: teamId,
      project_id: file.project_id,
      revision: file.revision,
      status: status ? presentFileStatus(status) : null,
      ...(version ? { kind: version.kind, version: version.number, duration: version.duration ?? 0, transcoding_status: version.transcoding_status } : {}),
      account_id: version?.created_by ?? file.created_by,
      created_at: iso(version?.created_at ?? file.created_at),
    }) satisfies wire.FileRecord;

  const presentEntry = (view: FilesViewEntry): FileEntry => {
    const { file, version, wave, itemCount, path, metadata } = view;
    return {
      ...presentFile(view),
      kind: file.is_folder === 1 ? "folder" : file.kind,
      created_at: iso(file.created_at),
      changed_at: iso(version?.created_at ?? file.changed_at),
      created_by_account_id: file.created_by,
      version: version?.number ?? 0,
      duration: file.duration,
      bpm: file.bpm,
      key: file.music_key,
      ...(file.unsure_key === null ? {} : { unsure_key: file.unsure_key }),
      tags: parseJson<string[]>(file.tags) ?? [],
      transcoding_status: version?.transcoding_status ?? "transcoded",
      failure: version?.failure ?? null,
      thumbnail_url: version && version.thumbnail_key !== null ? contentUrl(file.id, version, "thumbnail") : null,
      ...(version?.kind === "audio" ? { wave: downsampleWave(parseJson<number[]>(wave) ?? []) } : {}),
      ...(itemCount === null ? {} : { item_count: itemCount }),
      ...(view.hasUnreadComments === undefined ? {} : { has_unread_comments: view.hasUnreadComments }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(path === undefined ? {} : { path }),
    };
  };

  const presentDeletedEntry = (entry: DeletedEntry): DeletedEntryRecord => ({
    ...presentEntry(entry),
    deleted_at: iso(entry.file.deleted_at ?? 0),
    deleted_by_account_id: entry.file.deleted_by,
    restorable_until: iso(entry.restorableUntil),
    location: entry.location.join("/"),
    contained_count: entry.containedCount,
  });

  const presentCommon = ({ file, version, status, teamId, hasUnreadComments, folders }: FileView): wire.FileCommon => ({
    id: file.id,
    name: file.name,
    size: version?.size ?? 0,
    url: version ? contentUrl(file.id, version, "original") : folderUrl(file),
    compressed_file_url: version ? compressedUrl(file.id, version) : null,
    account_id: version?.created_by ?? file.created_by,
    project_id: file.project_id,
    file_team_id: teamId,
    is_blind_drop: false,
    is_shared: false,
    status: status ? presentFileStatus(status) : null,
    transcoding_status: version?.transcoding_status ?? "transcoded",
    ...(hasUnreadComments === undefined ? {} : { has_unread_comments: hasUnreadComments }),
    parent_id: file.parent_id,
    ...(folders === undefined ? {} : { folders }),
    is_folder: file.is_folder === 1,
    removal_protection: file.removal_protection === 1,
    task_load_protection: file.task_load_protection === 1,
    created_at: iso(version?.created_at ?? file.created_at),
    ...(version ? { kind: version.kind, version: version.number, media_type: version.media_type, failure: version.failure } : {}),
  });

  /** As documented, unknown numbers are 0 and unknown strings "" unless null is allowed. */
  function presentInfo(view: FileView, analysis: VersionAnalysis | null): wire.FileInfoResponse {
    const { version } = view;
    const probe = parseJson<Probe>(analysis?.probe ?? null);
    const tags = parseJson<Tags>(analysis?.tags ?? null);
    const loudness = parseJson<Record<string, unknown>>(analysis?.loudness ?? null);
    const ai_tags = {
      bpm: tags?.bpm ?? 0,
      genres: tags?.genres ?? [],
      instruments: tags?.instruments ?? [],
      moods: tags?.moods ?? [],
      key: tags?.keys ?? [],
      ...(tags
        ? {
            bpm_confidence: tags.bpmConfidence,
            key_confidence: tags.keyConfidence,
            ...(tags.bpmCandidates?.length ? { bpm_candidates: tags.bpmCandidates } : {}),
            ...(tags.keyCandidates?.length ? { key_candidates: tags.keyCandidates } : {}),
            model: tags.model,
          }
        : {}),
    };
    const common = presentCommon(view);
    const notes = probe?.notes ? { notes: probe.notes } : {};
    if (version?.kind === "audio") {
      return {
        ai_tags,
        common,
        file_info: {
          object: "audio_file_info",
          annotations: JSON.stringify(probe?.annotations ?? {}),
          audio_encoding: probe?.audioEncoding ?? null,
          bitrate: probe?.bitrate ?? "",
          bits_per_sample: probe?.bitsPerSample ?? 0,
          bpm: view.file.corrected_bpm ?? tags?.bpm ?? 0,
          duration: probe?.duration ?? 0,
          key: view.file.corrected_key ?? tags?.keys[0] ?? null,
          number_of_chanels: probe?.channels ?? 0,
          number_of_samples: probe?.samples ?? 0,
          samplerate: probe?.sampleRate ?? 0,
          wave: parseJson<number[]>(analysis?.wave ?? null) ?? [],
          corrected: { bpm: view.file.corrected_bpm !== null, key: view.file.corrected_key !== null },
          ...coverField(view.file.id, version),
          ...(loudness ? { loudness } : {}),
          ...notes,
        },
      };
    }
    const object = view.file.is_folder === 1 ? "folder_info" : (`${version?.kind ?? "document"}_file_info` as const);
    return {
      ai_tags,
      common,
      file_info: {
        object,
        ...(version?.kind === "video" ? { wave: parseJson<number[]>(analysis?.wave ?? null) ?? [] } : {}),
        ...(probe?.width && probe.height ? { width: probe.width, height: probe.height } : {}),
        ...(version ? previewFields(view.file.id, version) : {}),
        ...notes,
      },
    };
  }

  const presentVersion = (version: VersionSummary): wire.FileVersion => ({
    id: version.id,
    number: version.number,
    size: version.size,
    url: contentUrl(version.file_id, version, "original"),
    account_id: version.created_by,
    created_at: iso(version.created_at),
    transcoding_status: version.transcoding_status,
  });

  return {
    presentFile,
    presentEntry,
    presentDeletedEntry,
    presentCommon,
    presentInfo,
    presentVersion,
    previewFields,
    coverField,
    contentUrl,
    compressedUrl,
    folderUrl,
    peaksUrl: (version: VersionSummary, level: number) => `${versionUrl(version.file_id, version.number)}/peaks/${level}`,
  };
}

export type FilePresenters = ReturnType<typeof createFilePresenters>;
