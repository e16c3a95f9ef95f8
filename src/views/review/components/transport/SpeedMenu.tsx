import { RATES, type Deck } from "../../../../audio/deck.ts";
import { useDeckPart } from "../../../../audio/use-deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { toolClasses } from "./tool.ts";

const written = (rate: number) => (Number.isInteger(rate) ? rate.toFixed(1) : String(rate));

/** How fast it is heard; the pitch stays. */
export function SpeedMenu({ deck }: { deck: Deck }) {
  const rate = useDeckPart(deck, "rate");
  return (
    <Menu label={t("speed", { rate: written(rate) })} trigger={t("rate", { rate: written(rate) })} triggerClass={toolClasses(rate !== 1)} align="end">
      {RATES.map((one) => (
        <MenuItem key={one} checked={one === rate} onSelect={() => deck.setRate(one)}>
          <span className="tabular">{t("rate", { rate: written(one) })}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
