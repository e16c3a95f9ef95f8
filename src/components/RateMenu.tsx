import { PLAYBACK_RATES } from "../audio/player/track-controller.ts";
import { t } from "../lib/texts/player.ts";
import { Menu, MenuItem } from "../ui/Menu.tsx";

interface RateMenuProps {
  rate: number;
  triggerClassName: string;
  onChange(rate: number): void;
}

/** Selects a playback rate. */
export function RateMenu({ rate, triggerClassName, onChange }: RateMenuProps) {
  return (
    <Menu
      label={t("speed", { rate: formatRate(rate) })}
      trigger={t("rate", { rate: formatRate(rate) })}
      triggerClassName={triggerClassName}
      align="end"
      checked={rate}
    >
      {PLAYBACK_RATES.map((option) => (
        <MenuItem key={option} id={option} text={t("rate", { rate: formatRate(option) })} onSelect={() => onChange(option)}>
          <span className="tabular">{t("rate", { rate: formatRate(option) })}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

const formatRate = (rate: number) => (Number.isInteger(rate) ? rate.toFixed(1) : String(rate));
