import type { FileStatus } from "../../../contract/records.ts";
import { classNames } from "../../lib/class-names.ts";
import { paletteIndex } from "../../lib/hue.ts";
import { t } from "../../lib/texts/status.ts";

interface Props {
  status: FileStatus | null;
  /** True if the status is chosen but not applied yet. */
  isPending?: boolean;
  /** Shown if there is no status. */
  noStatus?: string | undefined;
  className?: string;
}

/** Shows a file's status as its title on its color, or that there is none. */
export function StatusBadge({ status, isPending = false, noStatus = t("none"), className }: Props) {
  return (
    <span
      data-hue={status ? paletteIndex(status.color) : undefined}
      className={classNames(
        "inline-flex h-6 max-w-full items-center gap-1.5 rounded-full px-2.5 text-xs font-semibold whitespace-nowrap",
        status ? "hue-badge" : "border border-line-strong text-text-2",
        isPending && "outline-1 -outline-offset-1 outline-current outline-dashed",
        className,
      )}
    >
      {status && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" />}
      <bdi className="truncate">{status?.title ?? noStatus}</bdi>
    </span>
  );
}
