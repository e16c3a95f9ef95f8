/** Creates the screen reader announcements of a recording. */
import { isSilent, secondsLeft, type Recording } from "../../audio/voice/recording.ts";
import { formatAccessibleDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice.ts";
import { formatSilence } from "./words.ts";

const MINUTE = 60;

/** Returns null for changes that need no announcement. */
export function recordingAnnouncement(before: Recording, now: Recording): string | null {
  if (now.phase === "recording" && before.phase !== "recording") return t("recordingStarted");
  if (now.outcome && !before.outcome) return now.outcome.reason === "short" ? t("short") : endAnnouncement(now.outcome);
  if (now.phase !== "recording") return null;
  if (secondsLeft(now) !== null && secondsLeft(before) === null) return t("announceStopsIn");
  if (isSilent(now) && !isSilent(before)) return formatSilence(now.device);
  const minutes = Math.floor(now.seconds / MINUTE);
  return minutes > Math.floor(before.seconds / MINUTE) ? t("minutes", { count: minutes }) : null;
}

const endAnnouncement = ({ reason, seconds }: { reason: string; seconds: number }): string =>
  reason === "canceled" ? t("discarded") : t("announceRecorded", { duration: formatAccessibleDuration(seconds) });
