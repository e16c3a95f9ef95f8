import { Ban, Upload } from "lucide-react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/uploads.ts";

interface Props {
  projectName: string;
  /** Why files cannot be dropped; null if they can. */
  disabledReason: string | null;
}

/** Covers the chat while files are dragged over it. */
export function DropOverlay({ projectName, disabledReason }: Props) {
  const Icon = disabledReason === null ? Upload : Ban;
  return (
    <div aria-hidden className="absolute inset-0 z-10 flex bg-surface/85 p-4">
      {/* Catches drops anywhere on the page. */}
      <div className="fixed inset-0" />
      <div
        className={classes(
          "flex flex-1 flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 text-center",
          disabledReason === null ? "border-accent" : "border-line-strong",
        )}
      >
        <Icon size={28} className={disabledReason === null ? "text-accent-text" : "text-text-2"} />
        <span className="mt-2 text-lg font-semibold">{t(disabledReason === null ? "dropTitle" : "dropDisabled")}</span>
        <span className="text-text-2">{disabledReason ?? t("dropHelp", { project: projectName })}</span>
      </div>
    </div>
  );
}
