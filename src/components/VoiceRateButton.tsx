import { nextVoiceRate } from "../audio/player/preferences.ts";
import { usePlayer, usePlayerValue } from "../audio/player/use-player.ts";
import { t } from "../lib/texts/voice.ts";

/** Shows the playback rate of voice notes; a press selects the next rate. */
export function VoiceRateButton() {
  const player = usePlayer();
  const rate = usePlayerValue(({ voiceRate }) => voiceRate);
  return (
    <button
      type="button"
      aria-label={t("speed", { rate })}
      data-tooltip={t("speed", { rate })}
      onClick={() => player.setVoiceRate(nextVoiceRate(rate))}
      className="tabular h-6 w-10 shrink-0 rounded-full bg-raised text-xs font-medium text-text-2 transition-colors hover:bg-hover hover:text-text"
    >
      {t("rate", { rate })}
    </button>
  );
}
