import { buttonClasses } from "../../../../ui/Button.tsx";

/** Styles a transport button, highlighted only when active and taller on phones. */
export const toolClasses = (on = false) => `${buttonClasses("ghost")} tabular px-2.5 max-tablet:h-10 ${on ? "text-accent-text!" : ""}`;
