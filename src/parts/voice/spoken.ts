/** What a screen reader hears of a recording, as it goes on. */
import { isSilent, secondsLeft, type Recording } from "../../audio/voice/recording.ts";
import { spokenDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice.ts";
import { silenceWords } from "./words.ts";

const MINUTE = 60;

/** Null for changes that nobody needs to hear. */
export function spokenOf(before: Recording, now: Recording): string | null {
  if (now.phase === "recording" && before.phase !== "recording") return t("began");
  if (now.outcome && !before.outcome) return now.outcome.why === "short" ? t("short") : endSpoken(now.outcome);
  if (now.phase !== "recording") return null;
  if (secondsLeft(now) !== null && secondsLeft(before) === null) return t("leftSpoken");
  if (isSilent(now) && !isSilent(before)) return silenceWords(now.device);
  const minutes = Math.floor(now.seconds / MINUTE);
  return minutes > Math.floor(before.seconds / MINUTE) ? t("minutes", { count: minutes }) : null;
}

const endSpoken = ({ why, seconds }: { why: string; seconds: number }): string =>
  why === "canceled" ? t("discarded") : t("recordedSpoken", { duration: spokenDuration(seconds) });
