import { ChevronDown } from "lucide-react";
import { useTrackControllerState } from "../../../audio/player/track-controller.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { Menu, MenuGroup, MenuItem } from "../../../ui/Menu.tsx";
import { usePlayerContext } from "./player-context.ts";
import { canShowUnit, formatInUnit, UNITS, type UnitInputs, type Unit } from "./position.ts";

const UNIT_LABELS = { time: "unitTime", seconds: "unitSeconds", samples: "unitSamples", bars: "unitBars" } as const;
const UNAVAILABLE_REASONS = { samples: "unitNoRate", bars: "unitNoTempo" } as const;

interface Props {
  unitInputs: UnitInputs;
  unit: Unit;
  onUnitChange(unit: Unit): void;
  /** Makes the current position the start of bar 1. */
  onSetBarOne(): void;
}

export function TimeDisplay({ unitInputs, unit, onUnitChange, onSetBarOne }: Props) {
  const { trackController } = usePlayerContext();
  const { position } = useTrackControllerState(trackController);
  const displayedUnit = canShowUnit(unit, unitInputs) ? unit : "time";
  return (
    <p className="ml-1 flex items-center whitespace-nowrap">
      <span className="tabular flex items-baseline gap-1.5">
        <span data-testid="position" className="text-xl font-semibold">
          {formatInUnit(displayedUnit, position, unitInputs)}
        </span>
        <span className="text-text-2">/ {formatInUnit(displayedUnit, trackController.duration, unitInputs)}</span>
        {displayedUnit !== "bars" && unitInputs.tempo && (
          <span className="ml-1 text-text-2 max-tablet:hidden">{t("bar", { bar: formatInUnit("bars", position, unitInputs) })}</span>
        )}
      </span>
      <Menu
        label={t("unit", { unit: t(UNIT_LABELS[displayedUnit]) })}
        trigger={<ChevronDown size={14} aria-hidden />}
        triggerClassName="ml-1 inline-flex size-7 items-center justify-center rounded-md text-text-2 hover:bg-hover hover:text-text max-tablet:size-10"
        checked={displayedUnit}
      >
        {UNITS.map((option) => (
          <MenuItem
            key={option}
            id={option}
            onSelect={() => onUnitChange(option)}
            disabledReason={canShowUnit(option, unitInputs) ? undefined : t(UNAVAILABLE_REASONS[option as keyof typeof UNAVAILABLE_REASONS])}
          >
            {t(UNIT_LABELS[option])}
          </MenuItem>
        ))}
        {unitInputs.tempo && (
          <MenuGroup label={t("setBarOne")}>
            <MenuItem text={t("setBarOne")} onSelect={onSetBarOne} />
          </MenuGroup>
        )}
      </Menu>
    </p>
  );
}
