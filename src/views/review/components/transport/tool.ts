import { buttonClasses } from "../../../../ui/Button.tsx";

/** A tool of the transport: quiet until it is on. Under a finger it is larger, and its picture says enough. */
export const toolClasses = (on = false) => `${buttonClasses("ghost")} tabular px-2.5 max-tablet:h-10 ${on ? "text-accent-text!" : ""}`;
