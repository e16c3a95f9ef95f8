import type { FileEntry } from "../../../../../contract/file-records.ts";
import { player } from "../../../../audio/player.ts";
import { t } from "../../../../lib/messages/files.ts";
import { useFetchFileInfo } from "../../../../queries/files/use-load-info.ts";
import { describeError } from "../../../../queries/problems.ts";
import { announce } from "../../../../ui/announce.ts";

/** Plays or pauses an entry's audio in the page's one player. The file's info is fetched first, because only it has the URL of the streaming copy. */
export function usePlayEntry() {
  const fetchInfo = useFetchFileInfo();
  return (entry: FileEntry) => {
    const { track } = player.state();
    if (track?.fileId === entry.id && track.version === entry.version) return player.toggle(track);
    fetchInfo(entry.id).then(
      ({ common }) =>
        player.play({
          fileId: entry.id,
          version: entry.version,
          name: entry.name,
          src: common.compressed_file_url ?? common.url,
          duration: entry.duration,
          wave: entry.wave ?? [],
          projectId: entry.project_id,
        }),
      (error: unknown) => announce(t("notPlayed", { name: entry.name, fault: describeError(error).title })),
    );
  };
}
