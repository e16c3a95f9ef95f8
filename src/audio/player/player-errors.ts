import { t } from "../../lib/texts/player.ts";
import { NETWORK } from "./recovery.ts";

const MESSAGES: Record<number | "unavailable" | "too-large", () => string> = {
  2: () => t("errorNetwork"),
  3: () => t("errorDamaged"),
  4: () => t("errorFormat"),
  unavailable: () => t("errorUnavailable"),
  "too-large": () => t("errorTooLarge"),
};

/** Returns why a track does not play, by the code of the element's error or the reason of the recovery. */
export const describePlayerError = (reason: number | "unavailable" | "too-large"): string => (MESSAGES[reason] ?? MESSAGES[NETWORK]!)();
