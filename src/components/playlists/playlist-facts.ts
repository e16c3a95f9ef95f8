import type { Playlist } from "../../../contract/playlist-records.ts";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/playlists.ts";

const SECONDS = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** "12 tracks · 43:10 · Gapless": what a list and a playlist's page say about it. Events lack the counts, which follow at once. */
export function describePlaylist({ item_count, duration, gap_ms }: Playlist): string {
  const count = item_count ?? 0;
  return [
    t("tracks", { count }),
    ...(count > 0 ? [formatPosition(duration ?? 0), gap_ms === 0 ? t("noGap") : t("gap", { seconds: SECONDS.format(gap_ms / 1_000) })] : []),
  ].join(" · ");
}
