import type { Attachment } from "../../contract/records.ts";
import type { Track } from "../audio/player/track.ts";

export interface TrackAudio {
  /** Seconds; 0 while unknown. */
  duration: number;
  wave: readonly number[];
  cover_url?: string | undefined;
}

/** Creates the player's track of an attachment. */
export function attachmentToTrack(
  { id, version, name, url, compressed_file_url }: Attachment,
  { duration, wave, cover_url }: TrackAudio,
  projectId: number,
): Track {
  return {
    fileId: id,
    version: version ?? null,
    name,
    src: compressed_file_url ?? url,
    duration,
    wave,
    projectId,
    ...(cover_url === undefined ? {} : { coverUrl: cover_url }),
  };
}
