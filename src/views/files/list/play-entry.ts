/** Plays the audio of entries in the player. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { FileCommon } from "../../../../contract/records.ts";
import type { Player } from "../../../audio/player/player.ts";
import { isSameTrack } from "../../../audio/player/track.ts";

export interface PlayableInfo {
  common: Pick<FileCommon, "compressed_file_url" | "url">;
}

/**
 * Plays or pauses an entry's audio. The file's info is fetched first, because only it has the URL of the streaming copy.
 * Whatever the user plays until the info is loaded overrides the entry.
 */
export async function playEntry(player: Player, entry: FileEntry, fetchInfo: (fileId: number) => Promise<PlayableInfo>): Promise<void> {
  const isLatestRequest = player.startRequest();
  const { track, isPlaying } = player.state();
  const entryTrack = { fileId: entry.id, version: entry.version };
  if (track && isSameTrack(track, entryTrack)) return player.toggle(track);
  const { common } = await fetchInfo(entry.id);
  const current = player.state();
  const isUnchanged = current.track?.fileId === track?.fileId && current.track?.version === track?.version;
  // The page of the entry prepares its track without playing it.
  const isReplaced = !isUnchanged && !(current.track && isSameTrack(current.track, entryTrack));
  const isResumed = current.isPlaying && !isPlaying;
  if (!isLatestRequest() || isReplaced || isResumed) return;
  player.play({
    fileId: entry.id,
    version: entry.version,
    name: entry.name,
    src: common.compressed_file_url ?? common.url,
    duration: entry.duration,
    wave: entry.wave ?? [],
    projectId: entry.project_id,
  });
}
