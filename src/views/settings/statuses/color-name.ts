import { t } from "../../../lib/messages/status-settings.ts";

const NAMES = ["hue0", "hue1", "hue2", "hue3", "hue4", "hue5", "hue6", "hue7", "hue8", "hue9", "hue10", "hue11"] as const;

/** Returns the name of a palette color by its index. */
export const colorName = (index: number): string => t(NAMES[index] ?? "hue0");
export const COLORS = NAMES.map((_, index) => index);
