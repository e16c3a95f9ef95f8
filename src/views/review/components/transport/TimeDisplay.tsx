import { ChevronDown } from "lucide-react";
import type { Deck } from "../../../../audio/deck.ts";
import { useDeckState } from "../../../../audio/use-deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { canShow, formatIn, UNITS, type Scale, type Unit } from "../../model/time-units.ts";

const NAMES = { time: "unitTime", seconds: "unitSeconds", samples: "unitSamples", bars: "unitBars" } as const;
const WHY_NOT = { samples: "unitNoRate", bars: "unitNoTempo" } as const;

interface Props {
  deck: Deck;
  scale: Scale;
  unit: Unit;
  onUnit(unit: Unit): void;
  /** Bar 1 begins where it stands now. */
  onBarOne(): void;
}

/** Where it stands, and the choice of how that is written. */
export function TimeDisplay({ deck, scale, unit, onUnit, onBarOne }: Props) {
  const { position } = useDeckState(deck);
  const shown = canShow(unit, scale) ? unit : "time";
  return (
    <p className="ml-1 flex items-center whitespace-nowrap">
      <span className="tabular flex items-baseline gap-1.5">
        <span data-testid="position" className="text-xl font-semibold">
          {formatIn(shown, position, scale)}
        </span>
        <span className="text-text-2">/ {formatIn(shown, deck.duration, scale)}</span>
        {shown !== "bars" && scale.tempo && <span className="ml-1 text-text-2 max-tablet:hidden">{t("bar", { bar: formatIn("bars", position, scale) })}</span>}
      </span>
      <Menu
        label={t("unit", { unit: t(NAMES[shown]) })}
        trigger={<ChevronDown size={14} aria-hidden />}
        triggerClass="ml-1 inline-flex size-7 items-center justify-center rounded-md text-text-2 hover:bg-hover hover:text-text max-tablet:size-10"
      >
        {UNITS.map((one) => (
          <MenuItem
            key={one}
            checked={one === shown}
            onSelect={() => onUnit(one)}
            disabledReason={canShow(one, scale) ? undefined : t(WHY_NOT[one as keyof typeof WHY_NOT])}
          >
            {t(NAMES[one])}
          </MenuItem>
        ))}
        {scale.tempo && <MenuItem onSelect={onBarOne}>{t("barOneHere")}</MenuItem>}
      </Menu>
    </p>
  );
}
