import { PLAYBACK_RATES, type TrackController } from "../../../../audio/deck.ts";
import { useTrackControllerValue } from "../../../../audio/use-deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { toolClasses } from "./tool.ts";

const formatRate = (rate: number) => (Number.isInteger(rate) ? rate.toFixed(1) : String(rate));

/** Selects the playback rate, which preserves the pitch. */
export function SpeedMenu({ trackController }: { trackController: TrackController }) {
  const rate = useTrackControllerValue(trackController, "rate");
  return (
    <Menu label={t("speed", { rate: formatRate(rate) })} trigger={t("rate", { rate: formatRate(rate) })} triggerClassName={toolClasses(rate !== 1)} align="end">
      {PLAYBACK_RATES.map((option) => (
        <MenuItem key={option} checked={option === rate} onSelect={() => trackController.setRate(option)}>
          <span className="tabular">{t("rate", { rate: formatRate(option) })}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
