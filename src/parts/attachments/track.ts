import type { Attachment } from "../../../contract/records.ts";
import type { Track } from "../../audio/player.ts";

type AudioInfo = Pick<NonNullable<Attachment["audio"]>, "duration" | "wave">;

/** Converts an audio attachment to a track. */
export function attachmentToTrack({ id, version, name, url, compressed_file_url }: Attachment, { duration, wave }: AudioInfo, projectId: number): Track {
  return { fileId: id, version: version ?? null, name, src: compressed_file_url ?? url, duration, wave, projectId };
}
